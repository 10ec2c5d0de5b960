import { proxy } from 'valtio/vanilla'

/** A message in another language: one text, or one for each plural category of the language. */
export type Translation = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>)

/** Messages of a language by their id, which is the English text. */
export type Catalogue<Id extends string = string> = Readonly<Record<Id, Translation>>

/** Names of the placeholders of an id: `'{sent} of {count}'` has `sent` and `count`. */
type PlaceholderOf<Id> = Id extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholderOf<Rest> : never

/** What a message takes: a value for each placeholder. `count` is a number; it chooses the plural form. */
export type ValuesOf<Id, Value = string | number> = [PlaceholderOf<Id>] extends [never]
  ? []
  : [values: { [Name in PlaceholderOf<Id> | 'count']: Name extends 'count' ? number : Value } | PlainValues<Id, Value>]
type PlainValues<Id, Value> = 'count' extends PlaceholderOf<Id> ? never : Record<PlaceholderOf<Id>, Value>

/**
 * Translates messages. Numbers among the values are formatted for the language. An id with two forms, such as
 * `'{count} recipient|{count} recipients'`, is English singular and plural; `Intl.PluralRules` chooses by `count`.
 */
export interface Translate<in Id extends string> {
  <Own extends Id>(id: Own, ...values: ValuesOf<Own>): string
  /** A text that is known at run time only, such as a sentence of the server: as it is where no translation is known. */
  <Text extends string>(text: string extends Text ? Text : never): string
  /** BCP 47 tag for `Intl`; undefined for English in the browser's own format. */
  readonly lang: string | undefined
}

/** Finds the translation of an id; `form` is its English singular or plural. Undefined: the English text is shown. */
export type FindTranslation = (id: string, form: string) => Translation | undefined

/** Makes the `t` of a language. Without arguments it is English. */
export function createTranslate(lang?: string, find?: FindTranslation): Translate<string> {
  const t = (id: string, values: Readonly<Record<string, string | number | undefined>> = {}) => {
    const count = values['count']
    const rule = count === undefined ? '' : new Intl.PluralRules(lang ?? 'en').select(count as number)
    const form = rule === '' ? id : (id.split('|').at(rule === 'one' ? 0 : -1) ?? id)
    const found = find?.(id, form) ?? form
    const text = typeof found === 'string' ? found : (found[rule as 'one'] ?? found.other)
    return text.replace(/\{(\w+)\}/g, (all, name: string) => (values[name] ?? all).toLocaleString(lang))
  }
  return Object.assign(t, { lang })
}

/** The language of a tree of components. A valtio proxy: a new `t` renders the tree again. */
export interface Language {
  t: Translate<string>
}

/** The language of every tree that is given none. */
export const pageLanguage = proxy<Language>({ t: createTranslate() })
