import { englishForm, fillText, type Translate, type Translation, type Values } from './messages.ts'

/** Finds the translation of an id; `form` is its English singular or plural. Undefined: the English text is shown. */
export type FindTranslation = (id: string, form: string) => Translation | undefined

/** Makes the `t` of a language other than English. */
export function createTranslate(lang: string | undefined, find: FindTranslation): Translate<string> {
  const t = (id: string, values?: Values) => {
    const count = values?.['count']
    const form = values ? englishForm(id, count) : id
    const found = find(id, form) ?? form
    const rule = typeof count === 'number' ? new Intl.PluralRules(lang).select(count) : 'other'
    const text = typeof found === 'string' ? found : (found[rule] ?? found.other)
    return values ? fillText(text, values, lang) : text
  }
  return Object.assign(t, { lang })
}
