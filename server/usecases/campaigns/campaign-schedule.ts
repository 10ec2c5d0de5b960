import { AppError } from '../../../contract/core/errors.ts'
import type { CampaignSchedule } from '../../domain/campaigns/campaign.ts'
import { instantOf, isSkippedTime, isTimeZone } from '../../domain/core/schedule.ts'

/** When to start, as it was written; null: now. Undefined: as it was. */
export interface ScheduleInput {
  scheduledAt?: string | null | undefined
  timezone?: string | null | undefined
}

/** Reads when a campaign is to start; what is not given stays as it was. Throws `validation`. */
export function readSchedule({ scheduledAt, timezone }: ScheduleInput, before: CampaignSchedule): CampaignSchedule {
  const zone = timezone === undefined ? before.timezone : timezone
  if (zone !== null && !isTimeZone(zone)) throw refuse('timezone', 'names no time zone; write it as Europe/Berlin')
  if (scheduledAt === undefined) return { scheduledAt: before.scheduledAt, timezone: zone }
  if (scheduledAt === null) return { scheduledAt: null, timezone: zone }
  const instant = instantOf(scheduledAt, zone ?? 'UTC')
  if (instant === null) throw refuse('scheduled_at', 'is no time; write it as 2027-03-01T09:00 or 2027-03-01T09:00:00Z')
  if (isSkippedTime(scheduledAt, zone ?? 'UTC'))
    throw refusedTime('does not exist on that day: the clocks skip this hour; choose an earlier or later time')
  return { scheduledAt: instant, timezone: zone }
}

export const isLater = (time: Date | null, now: Date): time is Date => time !== null && time > now

/** A time that a person has chosen: the sentence is shown on a screen, so it names no field of the API. */
export function refusedTime(remedy: string): AppError {
  const msg = `The time of sending ${remedy}.`
  return new AppError('validation', { items: [{ loc: ['body', 'scheduled_at'], msg, type: 'value' }] })
}

function refuse(field: string, remedy: string): AppError {
  return new AppError('validation', { items: [{ loc: ['body', field], msg: `${field} ${remedy}`, type: 'value' }] })
}
