import type { Template } from '../../contract/mail/template.ts'
import type { Reply } from './api-server.ts'

/** A page of many templates as the server answers it, with its cursor and its search in subjects, keys and bodies. */
export function pageOf(many: readonly Template[], query: URLSearchParams): Reply {
  const words = query.get('search')?.split(' ') ?? []
  const withContent = query.get('with_content') === 'true'
  const found = many.filter(({ subject, key, body }) =>
    words.every((word) => `${subject} ${key} ${withContent ? body : ''}`.toLowerCase().includes(word)),
  )
  const after = many.findIndex(({ id }) => id === query.get('cursor'))
  const rest = found.filter((template) => many.indexOf(template) > after)
  const page = rest.slice(0, Number(query.get('limit') ?? 100))
  const next = rest.length > page.length && { 'X-Next-Cursor': page.at(-1)?.id ?? '' }
  return { json: page, headers: { 'X-Total-Count': String(found.length), ...next } }
}
