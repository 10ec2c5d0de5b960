import { proxy } from 'valtio/vanilla'

/** A message in another language: one text, or one for each plural category of the language. */
export type Translation = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>)

/** Messages of a language by their id, which is the English text. */
export type Catalogue<Id extends string = string> = Readonly<Record<Id, Translation>>

/** Values of a message by the names of its placeholders. `count` chooses the plural form. */
export type Values = Readonly<Record<string, string | number | undefined>>

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
  <Text extends string>(text: string extends Text ? Text : never, values?: Values): string
  /** BCP 47 tag for `Intl`; without one, English in the browser's own format. */
  readonly lang?: string | undefined
}

/** The English singular or plural of an id: the forms of `Intl.PluralRules`, which takes longer to create than a row to render. */
export const englishForm = (id: string, count: Values[string]): string => id.split('|').at(count === 1 ? 0 : -1) ?? id

/** By language: creating a format takes longer than rendering a row of a screen. */
// oxlint-disable-next-line sendwright/module-state -- a cache
const numberFormats: Record<string, Intl.NumberFormat> = {}

/** Puts values in the place of their names. */
export const fillText = (text: string, values: Values, lang?: string): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name] ?? all
    return typeof value === 'number' ? (numberFormats[lang ?? ''] ??= new Intl.NumberFormat(lang)).format(value) : value
  })

/** English. A text without values is shown as it is, braces and bars included. */
export const english = ((id: string, values?: Values) =>
  values ? fillText(englishForm(id, values['count']), values) : id) as Translate<string>

/** The language of a tree of components. A valtio proxy: a new `t` renders the tree again. */
export interface Language {
  t: Translate<string>
}

/** The language of every tree that is given none. */
export const pageLanguage = proxy<Language>({ t: english })
