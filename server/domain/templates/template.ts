import type { PageQuery } from '../core/page.ts'
import { MergeSyntaxError, parseTemplate, variablesOf } from '../../../contract/mail/merge-variables.ts'
import type { TemplateMode, TemplateStatus } from '../../../contract/mail/template.ts'

/** A template as its workspace sees it. */
export interface TemplateRow {
  id: string
  key: string
  /** Display name; '' for none. */
  name: string
  subject: string
  body: string
  /** Names of merge variables, each once. */
  tags: readonly string[]
  mode: TemplateMode
  /** The design document that `body` is rendered from; null in mode `html`. */
  design: unknown
  preheader: string
  /** Grows with each save. */
  revision: number
  /** Shown to anybody by the workspace's embeds. */
  isPublic: boolean
  createdAt: Date
  updatedAt: Date
}

/** A template in a list, which leaves its design out. */
export type ListedTemplate = Omit<TemplateRow, 'design'>

/** A saved state of a template; `createdBy` is a person's name. */
export interface TemplateVersionRow extends Pick<
  TemplateRow,
  'revision' | 'name' | 'subject' | 'preheader' | 'mode' | 'createdAt'
> {
  createdBy: string | null
}

/** Which templates of a workspace, newest first. */
export interface TemplatePage extends PageQuery {
  /** Words that each occur in the name, the subject, the key or a tag, in lower case; null: any template. */
  words: readonly string[] | null
  /** Whether they may occur in the text of the body, too. */
  isWithContent: boolean
}

const slugMaxChars = 40

/**
 * A key that a person can read and that no other template has: the subject's words, and the end of the id, which is
 * chance. It goes into addresses as it is.
 */
export function templateKey(subject: string, id: string): string {
  const words = subject
    .replaceAll(/\{\{[^{}]*\}+/g, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, slugMaxChars)
    .replaceAll(/^-|-$/g, '')
  return `${words === '' ? 'template' : words}-${id.slice(-8)}`
}

/** Tags as they are kept: trimmed, each once, in their order. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

/** `ready` where every merge variable has a tag. */
export function templateStatus({
  subject,
  body,
  tags,
}: Pick<TemplateRow, 'subject' | 'body' | 'tags'>): TemplateStatus {
  try {
    const used = [subject, body].flatMap((text) => variablesOf(parseTemplate(text)))
    return used.every((name) => tags.includes(name)) ? 'ready' : 'draft'
  } catch (error) {
    if (error instanceof MergeSyntaxError) return 'draft'
    throw error
  }
}
