import { Type, type Static } from 'typebox'
import { trackingModes, utmMaxChars, utmNames } from './tracking.limits.ts'

export const Tracking = Type.Enum([...trackingModes], {
  description:
    'What is recorded of opens and clicks: nothing, totals without people, or who acted. A contact that restricts it is recorded for less',
})

/** Of a campaign: null is the mode of the workspace. */
export const CampaignTracking = Type.Union([Tracking, Type.Null()], {
  description: 'As the workspace where it is null; the stricter of both holds',
})

/** Of a contact: null restricts nothing. */
export const ContactTracking = Type.Union([Tracking, Type.Null()], {
  description: 'What is recorded at most of its opens and clicks; null: as its mails have it',
})

export const Utm = Type.Object(
  Object.fromEntries(utmNames.map((name) => [name, Type.Optional(Type.String({ maxLength: utmMaxChars }))])) as Record<
    (typeof utmNames)[number],
    ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>
  >,
  {
    additionalProperties: false,
    description: 'Added to tracked links as utm_source, utm_medium and so on, where a link lacks them',
  },
)
export type Utm = Static<typeof Utm>
