import { createHash } from 'node:crypto'

const style = `
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#faf9f7;color:#1c1b1a;font:17px/1.6 system-ui,sans-serif}
main{max-width:26rem;padding:2rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0}
@media (prefers-color-scheme:dark){body{background:#191817;color:#f2f0ed}}
`

/** Nothing is loaded and nothing runs. */
export const linkPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Answer to a link that this server has not signed. */
export const linkPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>This link does not work</title><style>${style}</style></head>
<body><main><h1>This link does not work</h1><p>Part of its address is missing or was changed. Open it again from the mail.</p></main></body></html>`
