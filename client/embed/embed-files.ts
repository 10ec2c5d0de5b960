import type { BuiltEmbed } from '../../contract/embed/embed-files.ts'
import type { Session } from '../core/http.ts'

/** Version and hashes of the current embed files; null without a build or an answer. */
export async function getBuiltEmbed(
  { apiBase }: Pick<Session, 'apiBase'>,
  signal: AbortSignal,
): Promise<BuiltEmbed | null> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- a file, not a call of the API
    const answer = await fetch(`${apiBase}/embed/embed.json`, { signal })
    return answer.ok ? ((await answer.json()) as BuiltEmbed) : null
  } catch {
    return null // What needs it is not shown.
  }
}
