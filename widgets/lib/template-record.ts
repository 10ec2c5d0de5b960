import type { Template } from '../../contract/mail/template.ts'
import { filledSubject } from './template-preview.ts'

/** Whose a template is: a workspace's own, or the library's that everybody reads. */
export type TemplateSource = 'own' | 'global'

/** A template as screens show it, wherever it came from. */
export interface TemplateRecord {
  id: string
  source: TemplateSource
  /** Names it in `template_key`; empty for a global one. */
  key: string
  /** Content of a card (decisions, Screens). */
  name: string
  /** Whether it was given that name; otherwise it is made of the subject or the key. */
  hasName: boolean
  subject: string
  body: string
  /** The design document; null for code, and in lists of own templates, which leave it out. */
  design: unknown
  /** Whether it was made of blocks or as a letter. */
  hasDesign: boolean
  /** Text behind the subject in the inbox. */
  preheader: string
  context: string[]
  /** Values that a global template brings along, to be looked at with. */
  sample: Record<string, string>
  category: string
  description: string
  /** ISO 8601; null where the record says none. */
  createdAt: string | null
  updatedAt: string | null
}

/** Words of a subject that make a name. */
const nameWordsCount = 5

/**
 * Reads a template or a hosted document. A nested `data` object is merged over the record, and the dates may be called
 * `createdAt` and `updatedAt` (spec §3). What is missing, or not what it should be, reads as empty.
 */
export function readTemplate(
  record: Template | { id: string; data?: unknown },
  source: TemplateSource,
): TemplateRecord {
  const outer = record as unknown as Record<string, unknown>
  const fields: Record<string, unknown> = isObject(outer['data']) ? { ...outer, ...outer['data'] } : outer
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const subject = text('subject')
  const sample = textsOf(fields['sample'])
  const key = text('key')
  return {
    id: record.id,
    source,
    key,
    hasName: text('name') !== '',
    name: text('name') || firstWords(filledSubject(subject, sample)) || key,
    subject,
    body: text('body'),
    design: isObject(fields['design']) ? fields['design'] : null,
    preheader: text('preheader'),
    hasDesign: isObject(fields['design']) || ['text', 'design'].includes(text('mode')),
    context: Array.isArray(fields['context']) ? fields['context'].filter((tag) => typeof tag === 'string') : [],
    sample,
    category: text('category'),
    description: text('description'),
    createdAt: text('created_at') || text('createdAt') || null,
    updatedAt: text('updated_at') || text('updatedAt') || null,
  }
}

/** Reads a source's rows, each once for as long as it is the same object. */
export function createTemplateReader(source: TemplateSource) {
  const known = new WeakMap<object, TemplateRecord>()
  return (records: readonly Parameters<typeof readTemplate>[0][]): TemplateRecord[] =>
    records.map((record) => {
      const read = known.get(record) ?? readTemplate(record, source)
      known.set(record, read)
      return read
    })
}

/** A subject's first words; with an ellipsis where there are more. */
function firstWords(subject: string): string {
  const words = subject.trim().match(/\{\{[^{}]*\}\}\S*|\S+/g) ?? []
  return words.slice(0, nameWordsCount).join(' ') + (words.length > nameWordsCount ? '…' : '')
}

function textsOf(values: unknown): Record<string, string> {
  if (!isObject(values)) return {}
  return Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
