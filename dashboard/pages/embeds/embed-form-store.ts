import { proxy } from 'valtio/vanilla'
import { createEmbed, updateEmbed } from '../../../client/embed/embed.ts'
import { ApiError, errorText, type Session } from '../../../client/core/http.ts'
import type { Embed, NewEmbed } from '../../../contract/embed/embed.ts'
import type { EmbedWidget } from '../../../contract/embed/embed-scopes.ts'
import { embedLimitDefaults, embedLimitMaxima } from '../../../contract/embed/embed.limits.ts'
import { originProblems, readOrigin } from '../../../contract/core/origin.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

export type LimitName = keyof typeof embedLimitMaxima
export const limitNames = Object.keys(embedLimitMaxima) as LimitName[]

/** Values of the form. */
export interface EmbedDraft {
  name: string
  /** One origin a line. */
  origins: string
  widgets: EmbedWidget[]
  /** Null for all mailboxes. */
  mailboxIds: string[] | null
  limits: Record<LimitName, string>
  popupSignIn: boolean
}

/** What to do about each field. */
export type EmbedProblems = Partial<Record<'name' | 'origins' | 'widgets' | 'mailboxIds' | LimitName, string>>

export interface EmbedFormState {
  status: 'editing' | 'saving' | 'failed'
  draft: EmbedDraft
  /** Shown once a field was left, or the form was sent. */
  problems: EmbedProblems
  error: string | null
}

/** Validation errors. */
export function findProblems(draft: EmbedDraft): EmbedProblems {
  const wrong = linesOf(draft.origins).flatMap((line) => {
    const read = readOrigin(line)
    return read.ok ? [] : [`“${line}” ${originProblems[read.problem]}.`]
  })
  const limits = limitNames.flatMap((name) => {
    const value = Number(draft.limits[name])
    const isRight = Number.isInteger(value) && value >= 1 && value <= embedLimitMaxima[name]
    return isRight ? [] : [[name, pageLanguage.t('Enter a number from 1 to {max}', { max: embedLimitMaxima[name] })]]
  })
  return {
    ...(draft.name.trim() === '' && { name: pageLanguage.t('Enter a name') }),
    ...(linesOf(draft.origins).length === 0
      ? { origins: pageLanguage.t('Enter the origins that may show it, such as https://www.example.com') }
      : wrong.length > 0 && { origins: wrong.join(' ') }),
    ...(draft.widgets.length === 0 && { widgets: pageLanguage.t('Choose at least one widget') }),
    ...(draft.mailboxIds?.length === 0 && {
      mailboxIds: pageLanguage.t('Choose at least one mailbox, or allow all of them'),
    }),
    ...(Object.fromEntries(limits) as EmbedProblems),
  }
}

/** State and actions of the form; `embed` null for a new one. */
export function createEmbedFormStore(session: Session, embed: Embed | null, onSaved: (embed: Embed) => void) {
  const state = proxy<EmbedFormState>({ status: 'editing', draft: draftOf(embed), problems: {}, error: null })
  let untouched = JSON.stringify(state.draft)

  return {
    state,
    /** Whether something would be lost. */
    isDirty: () => JSON.stringify(state.draft) !== untouched,
    write(change: Partial<EmbedDraft>) {
      Object.assign(state.draft, change)
    },
    setLimit(name: LimitName, value: string) {
      state.draft.limits[name] = value
    },
    toggleWidget(widget: EmbedWidget) {
      const at = state.draft.widgets.indexOf(widget)
      if (at < 0) state.draft.widgets.push(widget)
      else state.draft.widgets.splice(at, 1)
      check('widgets')
    },
    toggleMailbox(id: string) {
      const chosen = state.draft.mailboxIds ?? []
      state.draft.mailboxIds = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
      if (state.problems.mailboxIds !== undefined) check('mailboxIds')
    },
    check,
    /** Saves, or shows the validation errors; returns the first invalid field. */
    async save(): Promise<keyof EmbedProblems | null> {
      if (state.status === 'saving') return null
      state.problems = findProblems(state.draft)
      const [first] = Object.keys(state.problems) as (keyof EmbedProblems)[]
      if (first !== undefined) return first
      Object.assign(state, { status: 'saving', error: null })
      const sent = JSON.stringify(state.draft)
      try {
        const body = bodyOf(state.draft)
        const saved = embed === null ? await createEmbed(session, body) : await updateEmbed(session, embed.id, body)
        const draft = draftOf(saved)
        untouched = JSON.stringify(draft)
        // What was typed meanwhile stays.
        Object.assign(state, { status: 'editing', ...(JSON.stringify(state.draft) === sent && { draft }) })
        onSaved(saved)
      } catch (error) {
        const sentence = error instanceof ApiError ? error.sentence : null
        Object.assign(state, { status: 'failed', error: sentence ?? errorText(error) })
      }
      return null
    },
  }

  function check(field: keyof EmbedProblems): void {
    const found = findProblems(state.draft)[field]
    if (found === undefined) Reflect.deleteProperty(state.problems, field)
    else state.problems[field] = found
  }
}

export type EmbedFormStore = ReturnType<typeof createEmbedFormStore>

function draftOf(embed: Embed | null): EmbedDraft {
  const limits = embed?.limits ?? embedLimitDefaults
  return {
    name: embed?.name ?? '',
    origins: embed?.allowed_origins.join('\n') ?? '',
    widgets: [...(embed?.widgets ?? (['compose'] as const))],
    mailboxIds: embed?.config_ids ? [...embed.config_ids] : null,
    limits: Object.fromEntries(limitNames.map((name) => [name, String(limits[name])])) as EmbedDraft['limits'],
    popupSignIn: embed?.popup_sign_in ?? true,
  }
}

function bodyOf({ name, origins, widgets, mailboxIds, limits, popupSignIn }: EmbedDraft): NewEmbed {
  return {
    name: name.trim(),
    allowed_origins: linesOf(origins),
    widgets: [...widgets],
    config_ids: mailboxIds && [...mailboxIds],
    limits: Object.fromEntries(limitNames.map((key) => [key, Number(limits[key])])),
    popup_sign_in: popupSignIn,
  }
}

function linesOf(text: string): string[] {
  return text.split(/[\n,]+/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}
