import { nextState, statesBefore, type CampaignEvent } from '../../domain/campaigns/campaign-state.ts'
import type { CampaignStatus } from '../../domain/campaigns/campaign.ts'

/** Campaign states as a list of SQL literals: `'draft', 'scheduled'`. */
export const stateList = (states: readonly CampaignStatus[]): string => states.map((state) => `'${state}'`).join(', ')

/** SQL literals of the states in which an event is possible. */
export const statesBeforeSql = (event: CampaignEvent): string => stateList(statesBefore(event))

/** SQL expression for the state after an event; unchanged in states that refuse it. */
export function nextStateSql(event: CampaignEvent, column = 'status'): string {
  const cases = statesBefore(event).map((state) => `when '${state}' then '${nextState(event, state) ?? state}'`)
  return `case ${column} ${cases.join(' ')} else ${column} end`
}

/** Assignments of a statement that changes campaigns to the state `to`: a preparation begins, or continues where it was. */
export const beginFillSql = (to: string): string => `
  fill_after = case when ${to} = 'preparing' then coalesce(fill_after, 0) else fill_after end,
  fill_counts = case when ${to} = 'preparing' then coalesce(fill_counts, '{}') else fill_counts end,
  fill_lease_until = null`
