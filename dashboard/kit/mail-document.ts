/** Elements that are removed even for a frame without scripts: they load, submit or navigate. */
const removed = 'script, base, meta, link, iframe, frame, object, embed, form > [type=submit], portal'

/**
 * Reads a stranger's mail into nodes for the preview frame, in a document that loads nothing. The frame forbids scripts
 * and every address but pictures over https (security.md, Pages); what styles would fetch is taken out here.
 */
export function readMail(html: string, Parser: typeof DOMParser): Document {
  const mail = new Parser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(removed)) element.remove()
  for (const style of mail.querySelectorAll('style')) style.textContent = withoutAddresses(style.textContent)
  for (const element of mail.querySelectorAll('[style]')) {
    element.setAttribute('style', withoutAddresses(element.getAttribute('style') ?? ''))
  }
  for (const form of mail.querySelectorAll('form')) form.removeAttribute('action')
  for (const element of mail.querySelectorAll('[background]')) element.removeAttribute('background')
  return mail
}

function withoutAddresses(css: string): string {
  // A backslash can spell `url` otherwise, and nothing that a mail needs has one.
  return css
    .replaceAll('\\', '')
    .replace(/@import[^;]*;?/gi, '')
    .replace(/(?:url|image-set|src)\s*\([^)]*\)/gi, 'none')
}
