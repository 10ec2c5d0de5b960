import type { Segment } from '../../../contract/audience/segment.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** What refers to a segment, so that the effects of a change are known. */
export function UsedIn({ uses }: { uses: Readonly<Segment['used_by']> }) {
  const t = useText()
  if (uses.length === 0) return <span className="segment-note">{t('Not used yet')}</span>
  return (
    <ul className="segment-uses">
      {uses.map(({ kind, id, name }) => (
        <li key={`${kind} ${id}`}>
          <a href={kind === 'segment' ? `/dashboard/segments/${id}` : `/dashboard/campaigns#${id}`}>{name}</a>
          <span className="segment-note">{kind === 'segment' ? t('Segment') : t('Campaign')}</span>
        </li>
      ))}
    </ul>
  )
}
