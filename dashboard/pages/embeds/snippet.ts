import type { Embed } from '../../../contract/embed/embed.ts'
import { reservedHeight } from '../../../contract/embed/embed-heights.ts'
import type { EmbedWidget } from '../../../contract/embed/embed-scopes.ts'

/** How pages come by a session: through the popup, or from an address of the site's own. */
export type SignInWay = 'popup' | 'server'

/** Where the site's own server answers sessions, in the snippet and in the sample. */
const tokenPath = '/my/embed-session'

/** The lines to paste into a page: one script tag, one element for each widget. */
export function embedSnippet(
  { id, widgets }: Pick<Embed, 'id' | 'widgets'>,
  { baseUrl, way, mailbox }: { baseUrl: string; way: SignInWay; mailbox: string | null },
): string {
  const tokenUrl = way === 'server' ? ` data-token-url="${tokenPath}"` : ''
  // The first widget comes in the loader's own file.
  const source = `${baseUrl}/embed/${widgets[0] ?? 'compose'}.js`
  const script = `<script async src="${source}" data-embed="${id}"${tokenUrl}></script>`
  return [script, '', ...widgets.map((widget) => element(widget, mailbox))].join('\n')
}

function element(widget: EmbedWidget, mailbox: string | null): string {
  // The content is shown until the widget has loaded, and when it cannot load.
  const fallback =
    widget === 'compose' && mailbox !== null ? `\n  <a href="mailto:${escapeHtml(mailbox)}">Write to us</a>\n` : ''
  return `<div data-sendwright="${widget}" style="min-height: ${reservedHeight(widget)}">${fallback}</div>`
}

/** The site's own back end, in Node: trades its secret key for a session that the page may hold. */
export function serverSample({ id, allowed_origins: [origin] }: Embed, baseUrl: string): string {
  return `app.post('${tokenPath}', async (request, response) => {
  // Only for people who are signed in to your site.
  const answer = await fetch('${baseUrl}/embed/sessions', {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${process.env.SENDWRIGHT_SECRET_KEY}\`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      embed_id: '${id}',
      origin: '${origin ?? 'https://www.example.com'}',
      user_ref: request.user.id,
    }),
  })
  response.status(answer.status).json(await answer.json())
})`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
