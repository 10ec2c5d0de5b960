import { embedScopes, type EmbedScope } from '../../contract/embed/embed-scopes.ts'

/**
 * Hides what needs a scope that is missing, and what only an owner may do. Null while the scopes are unknown: what may get
 * a column of its own is not drawn yet.
 */
export function restrict(sheet: CSSStyleSheet, known: readonly EmbedScope[] | null): void {
  const scopes = known ?? embedScopes
  const missing = [...embedScopes.filter((scope) => !scopes.includes(scope)), 'owner']
  const all = (name: string) => `:is(${missing.map((scope) => `[data-${name}='${scope}']`).join()})`
  const needy = all('needs')
  const undrawn = known === null ? '[data-beside] { visibility: hidden }' : ''
  // A hidden element leaves its column to its neighbour.
  sheet.replaceSync(
    `${needy}${needy} { display: none } ${all('beside')} { grid-template-columns: minmax(0, 1fr) !important } ${undrawn}`,
  )
}
