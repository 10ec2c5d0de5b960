import type { Contact, ContactSort, ContactStatus, TimelineEntry } from '../../../contract/audience/contact.ts'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import type { FieldType } from '../../../contract/audience/segment-rule.ts'
import type { IconData } from '../../../widgets/kit/icon/icon.tsx'
import { ban, circleAlert, circleCheck, circleMinus, triangleAlert } from '../../../widgets/kit/icon/icons.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'

/** Word, icon and reason of each status. */
export const statusLabels: Readonly<
  Record<ContactStatus, { word: string; icon: IconData; tone: string; about: string }>
> = {
  active: { word: 'Active', icon: circleCheck, tone: 'good', about: 'Campaigns are sent to this address.' },
  unsubscribed: {
    word: 'Unsubscribed',
    icon: circleMinus,
    tone: 'open',
    about: 'The person unsubscribed. Nothing is sent to this address.',
  },
  bounced: {
    word: 'Bounced',
    icon: circleAlert,
    tone: 'bad',
    about: 'The mail server rejected the address as unknown. Nothing is sent to it.',
  },
  complained: {
    word: 'Called it spam',
    icon: triangleAlert,
    tone: 'warn',
    about: 'The person reported a mail as spam. Nothing is sent to this address.',
  },
  manual: {
    word: 'Suppressed',
    icon: ban,
    tone: 'open',
    about: 'Somebody in the workspace suppressed the address. Nothing is sent to it.',
  },
}

/** Words for the orders of the table. */
export const sortLabels: Readonly<Record<ContactSort, string>> = {
  newest: 'Newest first',
  email: 'Email, A to Z',
  last_activity: 'Last activity',
}

/** Words for the types of a field. */
export const fieldTypeLabels: Readonly<Record<FieldType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  boolean: 'Yes or no',
  choice: 'Choice',
}

/** Words for where a contact came from. */
export const sourceLabels: Readonly<Record<string, string>> = {
  api: 'API',
  manual: 'Added by hand',
  import: 'Import',
  form: 'Form',
}

/** Words for the state of a membership. */
export const memberStateLabels: Readonly<Record<string, string>> = {
  subscribed: 'Subscribed',
  pending: 'Not confirmed',
  unsubscribed: 'Unsubscribed',
}

/** Words for the members of a list that a filter has; '' are those who are subscribed. */
export const memberLabels = {
  '': 'Subscribed',
  any: 'All members',
  pending: 'Not confirmed',
  unsubscribed: 'Unsubscribed',
} as const

/** What happened, by the kind of an entry. */
export const timelineLabels: Readonly<Record<TimelineEntry['kind'], string>> = {
  campaign: 'Campaign',
  message: 'Mail',
  opened: 'Opened',
  clicked: 'Clicked in',
  replied: 'Replied to',
  auto_replied: 'Automatic reply to',
  bounced: 'Bounced',
  delayed: 'Delayed',
  complained: 'Called it spam',
  unsubscribed: 'Unsubscribed',
  resubscribed: 'Subscribed again',
  list_joined: 'Joined the list',
  list_left: 'Left the list',
  consent: 'Consent',
  membership: 'List',
  created: 'Added',
}

/** First and last name; empty where both are missing. */
export const nameOf = ({ fields }: { fields: Contact['fields'] }): string =>
  ['first_name', 'last_name']
    .map((key) => fields[key])
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

/** A value as it is shown; empty where there is none. */
export function formatValue(
  { type }: Pick<ContactField, 'type'>,
  value: Contact['fields'][string] | undefined,
  t: Translate<string>,
): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'number') return value.toLocaleString(t.lang, { maximumFractionDigits: 20 })
  if (type === 'date') return formatDay(value, t.lang)
  return value
}

/** The value of a filter as it is read. */
export function formatFilter(field: Pick<ContactField, 'type'>, value: string, t: Translate<string>): string {
  if (field.type === 'boolean') return formatValue(field, value === 'true', t)
  return formatValue(field, field.type === 'number' ? Number(value) : value, t)
}

/** A day of the calendar, `YYYY-MM-DD`. */
export const formatDay = (day: string, lang: string | undefined): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(lang, { dateStyle: 'medium', timeZone: 'UTC' })

/** The name of a language or a time zone as people write it. */
export function languageName(tag: string, lang: string | undefined): string {
  try {
    return new Intl.DisplayNames(lang ?? 'en', { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
