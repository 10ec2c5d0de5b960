import { englishForm, fillText, type Translate, type Translation, type Values } from './messages.ts'

/** Finds the translation of an id; `form` is its English singular or plural. Undefined: the English text is shown. */
export type FindTranslation = (id: string, form: string) => Translation | undefined

// oxlint-disable-next-line sendwright/module-state -- a cache
const rulesByLanguage = new Map<string | undefined, Intl.PluralRules>()

function rulesOf(lang: string | undefined): Intl.PluralRules {
  const known = rulesByLanguage.get(lang)
  if (known) return known
  const rules = new Intl.PluralRules(lang)
  rulesByLanguage.set(lang, rules)
  return rules
}

/** The form of a translation for a count; its other form for what is no number. */
export function pluralForm(translation: Translation, count: Values[string], lang?: string): string {
  if (typeof translation === 'string') return translation
  return translation[typeof count === 'number' ? rulesOf(lang).select(count) : 'other'] ?? translation.other
}

/** Makes the `t` of a language other than English. */
export function createTranslate(lang: string | undefined, find: FindTranslation): Translate<string> {
  const t = (id: string, values?: Values) => {
    const count = values?.['count']
    const form = values ? englishForm(id, count) : id
    const found = find(id, form) ?? form
    const text = pluralForm(found, count, lang)
    return values ? fillText(text, values, lang) : text
  }
  return Object.assign(t, { lang })
}
