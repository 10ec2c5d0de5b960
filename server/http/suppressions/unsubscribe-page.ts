import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../contract/mail/merge-variables.ts'
import { preferencesPath } from '../../domain/tracking/mail-link.ts'

type Page =
  | { state: 'asked' | 'done'; email: string; from: string; token: string }
  | { state: 'unknown' }
  | { state: 'test' }
  | { state: 'away' }

const style = `
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#faf9f7;color:#1c1b1a;font:17px/1.6 system-ui,sans-serif}
main{max-width:26rem;padding:2rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 1.25rem}
button{font:inherit;font-weight:600;padding:.65rem 1.4rem;border:0;border-radius:.5rem;background:#1c1b1a;color:#fff;cursor:pointer}
a{color:inherit}
.more{margin:1.25rem 0 0}
button:focus-visible,a:focus-visible{outline:3px solid #3b6ef5;outline-offset:2px}
@media (prefers-color-scheme:dark){body{background:#191817;color:#f2f0ed}button{background:#f2f0ed;color:#191817}}
`

/** Nothing is loaded from anywhere, nothing runs, and the one form leads back here. */
export const unsubscribePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The page behind a mail's link; works without script. */
export function unsubscribePage(page: Page): string {
  const [title, words] = textsOf(page)
  const form = page.state === 'asked' ? '<form method="post"><button type="submit">Unsubscribe</button></form>' : ''
  const more =
    page.state === 'asked' || page.state === 'done'
      ? `<p class="more"><a href="${preferencesPath}${encodeURIComponent(page.token)}">${page.state === 'done' ? 'Keep some topics' : 'Choose topics and how often instead'}</a></p>`
      : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${words}</p>${form}${more}</main></body></html>`
}

function textsOf(page: Page): [title: string, words: string] {
  if (page.state === 'unknown') {
    return ['This link does not work', 'Open it again from the mail, whole. Nothing was changed.']
  }
  if (page.state === 'away') {
    return ['This does not work just now', 'Nothing was changed yet. Please try again in a minute.']
  }
  if (page.state === 'test') {
    return ['This was a test', 'In the campaign itself this link unsubscribes its recipient. Here nothing was changed.']
  }
  const [email, from] = [escapeHtml(page.email), escapeHtml(page.from)]
  return page.state === 'asked'
    ? ['Unsubscribe?', `${email} will not get any more mail from ${from}.`]
    : ['You are unsubscribed', `${email} gets no more mail from ${from}. You can close this page.`]
}
