import { sanitise, type SanitiseOptions } from '../../widgets/lib/sanitise.ts'

/** Puts HTML into the page as a preview would and gives what stands there: a page for tests of the sanitiser alone. */
function show(html: string, styles: SanitiseOptions['styles'] = 'keep'): string {
  const place = document.querySelector('main')
  place?.replaceChildren(sanitise(html, { styles }))
  return place?.innerHTML ?? ''
}

Object.assign(window, { show })
