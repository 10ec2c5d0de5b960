import { describe, expect, it } from 'vitest'
import { mailFaults } from './mail-rules.ts'

const table = '<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%">'
const font = 'color:#222222;font-family:Georgia,serif;font-size:16px'

/** A mail without a fault, and places to insert one. */
function mail({ html = '<html lang="en" dir="ltr">', head = '', body = '', text = font, heading = 'h1' } = {}): string {
  return `<!doctype html>${html}<head><title>Hello</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>@media (prefers-color-scheme: dark) { .ink { color: #eeeeee !important } }</style>${head}</head>
<body bgcolor="#ffffff">${table}<tr><td style="${text}"><${heading}>Hello</${heading}>
<p>Words, <a href="{{url}}">and a link</a>.</p>${body}</td></tr></table></body></html>`
}

const faults: [fault: string, html: string][] = [
  ['It is 60', mail({ body: 'x'.repeat(60_000) })],
  ['It has no doctype', mail().slice('<!doctype html>'.length)],
  ['<html> has no language', mail({ html: '<html dir="ltr">' })],
  ['<html> has no direction', mail({ html: '<html lang="en">' })],
  ['It has no title', mail().replace('<title>Hello</title>', '')],
  ['It has no <meta name="viewport">', mail().replace('name="viewport"', 'name="other"')],
  ['It has no <meta name="color-scheme">', mail().replace('name="color-scheme"', 'name="other"')],
  ['Its style blocks are', mail({ head: `<style>${'.a { color: #000000 }'.repeat(400)}</style>` })],
  ['A style block says display: grid', mail({ head: '<style>.a { display: grid }</style>' })],
  ['A style block says @import', mail({ head: '<style>@import "https://example.com/a.css";</style>' })],
  ['A style block says @font-face', mail({ head: '<style>@font-face { font-family: A }</style>' })],
  ['It has no colours for dark mode', mail().replace('prefers-color-scheme: dark', 'min-width: 480px')],
  ['<div> says display:flex', mail({ body: '<div style="display:flex"></div>' })],
  ['<div> says position:absolute', mail({ body: '<div style="position:absolute"></div>' })],
  ['<div> says url(', mail({ body: '<div style="background:url(https://example.com/a.png)"></div>' })],
  ['<script> is no part of a mail', mail({ body: '<script></script>' })],
  ['<form> is no part of a mail', mail({ body: '<form></form>' })],
  ['<link> is no part of a mail', mail({ head: '<link rel="stylesheet" href="https://example.com/a.css">' })],
  ['<p> has an attribute onclick', mail({ body: '<p onclick="a()"></p>' })],
  ['A <table> for layout has no role="presentation"', mail({ body: table.replace('presentation', 'none') })],
  [
    'A <table> has no attribute width',
    mail({ body: `${table.replace('width', 'data-width')}<tr><td></td></tr></table>` }),
  ],
  ['A <table> has no attribute cellpadding', mail({ body: table.replace('cellpadding', 'data-padding') })],
  [
    '<td> has a width in its style but no attribute',
    mail({ body: `${table}<tr><td style="width:50%"></td></tr></table>` }),
  ],
  [
    '<td> has a background in its style but no attribute bgcolor',
    mail({ body: `${table}<tr><td style="background-color:#ffffff"></td></tr></table>` }),
  ],
  [
    '<td> has a background from somebody else',
    mail({ body: `${table}<tr><td background="https://example.org/a.png"></td></tr></table>` }),
  ],
  ['It has not exactly one <h1>', mail({ body: '<h1>Again</h1>' })],
  ['An <h2> follows an <h0>', mail({ heading: 'h2' })],
  ['An <h3> follows an <h1>', mail({ body: '<h3>Deep</h3>' })],
  ['“Hello” has no color in a style attribute', mail({ text: 'font-family:Georgia;font-size:16px' })],
  ['“Hello” has no font-family in a style attribute', mail({ text: 'color:#222222;font-size:16px' })],
  ['“Hello” has no font-size in a style attribute', mail({ text: 'color:#222222;font-family:Georgia' })],
  ['“Fine print” is 9 px small', mail({ body: '<p style="font-size:9px">Fine print</p>' })],
  ['An <img> has no alt text', mail({ body: '<img src="{{logo_url}}" width="20">' })],
  ['An <img> has no attribute width', mail({ body: '<img src="{{logo_url}}" alt="">' })],
  ['An <img> comes from somebody else', mail({ body: '<img src="https://example.org/a.png" alt="" width="20">' })],
  ['The link “Buy” leads to somebody’s real address', mail({ body: '<a href="https://example.org/">Buy</a>' })],
  ['A link has no words', mail({ body: '<a href="{{url}}"></a>' })],
  ['The link “Click here” does not say', mail({ body: '<a href="{{url}}">Click here</a>' })],
]

describe('the rules for mails', () => {
  it('a valid mail has no fault', () => {
    expect(mailFaults(mail())).toEqual([])
  })

  it.each(faults)('find: %s', (fault, html) => {
    expect(mailFaults(html).join('\n')).toContain(fault)
  })
})
