/** Languages that a person can choose, by their code. */
export const preferenceLanguages: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
}

/** Days that mail can be paused for. */
export const pauseDays = [30, 60, 90] as const

/** A public list, as a person sees it. */
export interface Topic {
  id: string
  name: string
  description: string
  isSubscribed: boolean
}

/** What a person has chosen, as it is in force. */
export interface Preferences {
  topics: Topic[]
  frequency: 'all' | 'weekly'
  pausedUntil: Date | null
  locale: string | null
  /** Nothing is sent to the address. */
  isStopped: boolean
}

/** Choices of a submitted form. */
export interface PreferenceChoices {
  /** `keep`: the marked topics again, after everything was stopped. */
  act: 'save' | 'stop' | 'keep'
  topicIds: readonly string[]
  frequency: 'all' | 'weekly'
  /** Null: as it is; 0: no pause. */
  pauseDays: number | null
  /** Null: as it is. */
  locale: string | null
}

/** Reads a submitted form. Whatever it names beside the choices is ignored; "stop" outweighs every other choice. */
export function readChoices(form: URLSearchParams): PreferenceChoices {
  const acts = form.getAll('act')
  const days = Number(form.get('pause') ?? Number.NaN)
  const locale = form.get('language') ?? ''
  return {
    act: acts.includes('stop') ? 'stop' : acts.includes('keep') ? 'keep' : 'save',
    topicIds: form.getAll('topic').filter((id) => /^\d{1,18}$/.test(id)),
    frequency: form.get('frequency') === 'weekly' ? 'weekly' : 'all',
    pauseDays: form.get('pause') === '0' || (pauseDays as readonly number[]).includes(days) ? days : null,
    locale: Object.hasOwn(preferenceLanguages, locale) ? locale : null,
  }
}

/** What was saved, for the contact's history. */
export function choicesText(
  { act, frequency, pauseDays: days, locale }: PreferenceChoices,
  topics: readonly string[],
): string {
  if (act === 'stop') return 'Stopped all mail on the preference page'
  const parts = [
    `topics: ${topics.length === 0 ? 'none' : topics.join(', ')}`,
    frequency === 'weekly' ? 'one campaign a week' : 'every campaign',
    ...(days === null || days === 0 ? [] : [`paused for ${days} days`]),
    ...(locale === null ? [] : [`language ${locale}`]),
  ]
  return `Saved on the preference page: ${parts.join('; ')}`
}
