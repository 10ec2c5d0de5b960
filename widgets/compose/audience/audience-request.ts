import type { AudienceRef } from '../compose-state.ts'

/** Lists and segments as the API takes them. */
export function audienceRequest(audience: readonly AudienceRef[]) {
  const ids = (kind: AudienceRef['kind'], isExcluded: boolean) =>
    audience.flatMap((one) => (one.kind === kind && Boolean(one.isExcluded) === isExcluded ? [one.id] : []))
  return {
    list_ids: ids('list', false),
    segment_ids: ids('segment', false),
    exclude_list_ids: ids('list', true),
    exclude_segment_ids: ids('segment', true),
  }
}
