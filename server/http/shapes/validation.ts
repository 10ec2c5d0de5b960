import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { ValidationItem } from '../../../contract/core/errors.ts'
import { isStorable } from '../../domain/core/storable-text.ts'
import { fieldNameMaxChars, nearestField } from './closed-shape.ts'
import { compileLater } from './compile-later.ts'

/** Where a part of a request is named in `loc` (spec §8). */
type Part = 'body' | 'query' | 'path' | 'headers'

const partNames: Record<string, Part> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' }

/** Faults that grow with the input: the first such one is the whole answer. */
const sizeKeywords = new Set(['maxItems', 'maxProperties'])

/** Faults that one answer names. */
const faultsShownMaxCount = 100

/** A request that does not have its shape, each fault with its place and remedy. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
  readonly items: readonly ValidationItem[]

  constructor(items: readonly ValidationItem[]) {
    super('The request does not have the expected shape.')
    this.items = items
  }
}

/**
 * Compiles a shape of the contract. Bodies are taken as they are; query parameters are texts and are read as what the
 * shape says. Unknown fields of a body are refused where its shape is closed (`bodyShapeOf`).
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const shared = { strict: false, removeAdditional: false, useDefaults: true } as const
  const first = new Ajv({ ...shared, allErrors: false })
  const all = new Ajv({ ...shared, allErrors: true, verbose: true })
  const coercing = new Ajv({ ...shared, allErrors: true, coerceTypes: true })
  return ({ schema, httpPart }) => {
    const part = partNames[httpPart ?? 'body'] ?? 'body'
    if (part !== 'body') return compileLater(() => toFastify(part, coercing.compile(schema)))
    return compileLater(() => {
      const quick = first.compile(schema)
      let thorough: ValidateFunction | undefined
      return (data: unknown) => {
        if (quick(data)) return accept(part, data)
        const isOversized = quick.errors?.some((error) => sizeKeywords.has(error.keyword)) === true
        if (isOversized) return { error: new ShapeError(toItems(part, quick.errors, data)) }
        thorough ??= all.compile(schema)
        thorough(data)
        return { error: new ShapeError(toItems(part, thorough.errors, data)) }
      }
    })
  }
}

function toFastify(part: Part, validate: ValidateFunction) {
  return (data: unknown) =>
    validate(data) ? accept(part, data) : { error: new ShapeError(toItems(part, validate.errors, data)) }
}

/** Takes what has its shape, unless it holds what is no text: neither the database nor a mail can carry that. */
function accept(part: Part, data: unknown): { value: unknown } | { error: ShapeError } {
  // Path parameters are ids; the use case answers 404 for an invalid one.
  const found = part === 'path' || isText(data) ? null : findNoText(data, [part])
  if (found === null) return { value: data }
  const { loc, what } = found
  const msg = `${loc.slice(1).join('.')} ${what}`
  return { error: new ShapeError([{ loc, msg, type: 'character' }]) }
}

/** Whether all texts and names can be stored. Without a path for each value, as in `findNoText`, which takes much longer. */
function isText(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isText)
  for (const name of Object.keys(value))
    if (!isStorable(name) || !isText((value as Record<string, unknown>)[name])) return false
  return true
}

/** The first text that cannot be stored, and why; null if there is none. */
function findNoText(value: unknown, loc: (string | number)[]): { loc: (string | number)[]; what: string } | null {
  if (typeof value === 'string') {
    const at = value.search(/\0|\p{Cs}/u)
    return at < 0 ? null : { loc, what: `contains a NUL or an unpaired surrogate at character ${at + 1}; remove it` }
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = findNoText(key, loc) ?? findNoText(inner, [...loc, Array.isArray(value) ? Number(key) : key])
    if (found !== null) return found
  }
  return null
}

function toItems(part: Part, errors: ErrorObject[] | null | undefined, data: unknown): ValidationItem[] {
  const faults = (errors ?? []).filter((error) => error.keyword !== 'anyOf').slice(0, faultsShownMaxCount)
  const items = faults.map((error) => toItem(part, error, data))
  // The branches of a union fault the same place; people need it once.
  return items.filter((item, index) => items.findIndex((other) => other.loc.join('/') === item.loc.join('/')) === index)
}

function toItem(part: Part, error: ErrorObject, data: unknown): ValidationItem {
  const path = readPointer(error.instancePath, data)
  if (error.keyword === 'additionalProperties') return toUnknownField(part, path, error)
  const missing = error.keyword === 'required' ? [String(error.params['missingProperty'])] : []
  const loc = [part, ...path, ...missing]
  const name = loc.length > 1 ? loc.slice(1).join('.') : part
  const [type, remedy] = describe(error, data === undefined || data === null)
  return { loc, msg: `${name} ${remedy}`, type }
}

function toUnknownField(part: Part, path: readonly (string | number)[], error: ErrorObject): ValidationItem {
  const field = String(error.params['additionalProperty'])
  const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
  const nearest = nearestField(field, known)
  const shown = field.length > fieldNameMaxChars ? `${field.slice(0, fieldNameMaxChars)}…` : field
  const loc = [part, ...path, shown]
  const name = loc.slice(1).join('.')
  const remedy = nearest === null ? `remove it; known are ${known.join(', ')}` : `did you mean ${nearest}?`
  return { loc, msg: `${name} is not a field of this call; ${remedy}`, type: 'unknown_field' }
}

/** A JSON pointer as keys and numbers: an array's index is a number in `loc`. */
function readPointer(pointer: string, data: unknown): (string | number)[] {
  let value = data
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(value) ? Number(key) : key
      value = (value as Record<string | number, unknown> | undefined)?.[step]
      return step
    })
}

const typeWords: Record<string, string> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

function describe({ keyword, params }: ErrorObject, isAbsent: boolean): [type: string, remedy: string] {
  switch (keyword) {
    case 'required':
      return ['missing', 'is missing; add it']
    case 'type': {
      if (isAbsent) return ['missing', 'is missing; send a JSON object']
      const wanted = [params['type']].flat().map((type) => typeWords[String(type)] ?? String(type))
      return [`${[params['type']].flat().join('_or_')}_type`, `has the wrong type; send ${wanted.join(' or ')}`]
    }
    case 'enum':
    case 'const': {
      const allowed = [params['allowedValues'] ?? params['allowedValue']].flat().map((value) => `“${String(value)}”`)
      return ['enum', `is not one of the allowed values; send ${allowed.join(', ')}`]
    }
    case 'minLength':
      return Number(params['limit']) === 1
        ? ['too_short', 'is empty; fill it in']
        : ['too_short', `is too short; use at least ${params['limit']} characters`]
    case 'maxLength':
      return ['too_long', `is too long; use at most ${params['limit']} characters`]
    case 'minItems':
      return ['too_short', `has too few entries; send at least ${params['limit']}`]
    case 'maxItems':
    case 'maxProperties':
      return ['too_long', `has too many entries; send at most ${params['limit']}`]
    case 'minimum':
      return ['too_small', `is too small; send ${params['limit']} or more`]
    case 'maximum':
      return ['too_large', `is too large; send ${params['limit']} or less`]
    case 'pattern':
      return ['pattern', 'has characters that are not allowed here; use letters, digits, dots, dashes and underscores']
    default:
      return [keyword, 'is not as expected']
  }
}
