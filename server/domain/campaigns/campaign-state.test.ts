import { describe, expect, it } from 'vitest'
import { campaignStatuses } from '../../../contract/mail/campaign.ts'
import {
  campaignTransitions,
  endedStates,
  isEnded,
  nextState,
  statesBefore,
  transitionOf,
  type CampaignEvent,
} from './campaign-state.ts'

/** One row for each event; columns: draft, scheduled, preparing, sending, paused, finished, cancelled, failed; `-`: refused. */
const table: Record<CampaignEvent, string> = {
  edit: 'draft scheduled - - - - - -',
  addRecipients: 'draft scheduled - - - - - -',
  launch: 'sending sending - - - - - -',
  schedule: 'scheduled scheduled - - - - - -',
  undo: '- draft - - - - - -',
  prepare: 'preparing preparing - - - - - -',
  filled: '- - sending - - - - -',
  start: '- sending - - - - - -',
  fail: '- failed failed - - - - -',
  pause: '- paused paused paused - - - -',
  resume: '- - - - sending - - -',
  refill: '- - - - preparing - - -',
  reschedule: '- - - - scheduled - - -',
  finish: '- - - finished - - - -',
  retry: '- - - sending paused sending - -',
  cancel: 'cancelled cancelled cancelled cancelled cancelled - - -',
  closeAccount: '- cancelled cancelled cancelled cancelled - - -',
  delete: 'cancelled cancelled cancelled cancelled cancelled finished cancelled failed',
}
const columns = ['draft', 'scheduled', 'preparing', 'sending', 'paused', 'finished', 'cancelled', 'failed'] as const
const events = Object.keys(campaignTransitions) as CampaignEvent[]

describe('the campaign state machine', () => {
  it('has every state of the contract', () => {
    expect([...columns].sort()).toEqual([...campaignStatuses].sort())
  })

  it.each(events)('%s leads from each state to the state of the table, or is rejected', (event) => {
    expect(columns.map((status) => nextState(event, status) ?? '-').join(' ')).toBe(table[event])
    expect(statesBefore(event)).toEqual(columns.filter((status) => nextState(event, status) !== null))
  })

  it('returns the one target state of an event, and throws for an event with several', () => {
    expect(transitionOf('pause')).toEqual({ from: ['scheduled', 'preparing', 'sending'], to: 'paused' })
    expect(() => transitionOf('retry')).toThrow('retry leads to several states')
  })

  it('leaves a final state only by a retry', () => {
    expect(columns.filter(isEnded)).toEqual([...endedStates])
    const leaving = events.filter((event) =>
      endedStates.some((status) => (nextState(event, status) ?? status) !== status),
    )
    expect(leaving).toEqual(['retry'])
  })
})
