import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  mergeContexts,
  parseTemplate,
  type MergeContext,
  type TemplatePart,
} from '../../../contract/mail/merge-variables.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { preferencesVariable, unsubscribeVariable } from '../../domain/campaigns/campaign-mail.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import { composeMail, type MailInput } from './compose-mail.ts'

interface Ports {
  workspaces: Pick<WorkspaceStore, 'find'>
  /** Where links in mails lead. */
  publicUrl: string
  /** HTML as it leaves: images that are attached to the mail have `cid:` addresses. */
  nameAttached: (scope: Scope, html: string) => Promise<string>
  /** The text part of HTML. */
  textOf: (html: readonly TemplatePart[]) => readonly TemplatePart[]
}

/** A mail that is only looked at. */
export interface PreviewInput extends Omit<MailInput, 'isHtml' | 'isTest'> {
  recipient: string | undefined
  isToMany: boolean
}

export type PreviewMail = ReturnType<typeof createPreviewMail>

/**
 * A mail as it would leave now, without tracking. Its links to unsubscribe lead to the page, and name no recipient. Throws
 * `validation`, `design_and_body`, `design_invalid`.
 */
export function createPreviewMail({ workspaces, publicUrl, nameAttached, textOf }: Ports) {
  return async (scope: Scope, { recipient, isToMany, ...input }: PreviewInput) => {
    const findAddress = async () => (await workspaces.find(scope))?.postalAddress ?? null
    const mail = await composeMail({ ...input, isHtml: true }, { template: null, isToMany, publicUrl, findAddress })
    const values: MergeContext = mergeContexts(mail.texts.context, {
      ...(recipient !== undefined && { email: recipient }),
      [unsubscribeVariable]: `${publicUrl}/unsubscribe/preview`,
      [preferencesVariable]: `${publicUrl}/preferences/preview`,
    })
    const content = parseTemplate(await nameAttached(scope, mail.texts.content))
    const { textPart } = mail.options
    const text = textPart === undefined || textPart === null ? textOf(content) : parseTemplate(textPart)
    return {
      subject: escapeHeader(fillTemplate(parseTemplate(mail.texts.subject), values)).trim(),
      html: withWireLineEnds(fillTemplate(content, values, escapeHtml)),
      text: fillTemplate([...text], values),
    }
  }
}

/** Lines end with CRLF in a mail (RFC 5322). */
const withWireLineEnds = (text: string) => text.replace(/\r\n?|\n/g, '\r\n')
