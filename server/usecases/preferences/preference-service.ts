import { AppError } from '../../../contract/core/errors.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { MailedRecipient } from '../../domain/suppressions/suppression.ts'
import type { PreferenceChoices, Preferences } from '../../domain/preferences/preferences.ts'
import type { PreferenceStore } from '../../store/preferences/preferences.ts'
import type { SuppressionStore } from '../../store/suppressions/suppression.ts'
import type { FindLinkedMail } from '../tracking/find-linked-mail.ts'

interface Ports {
  preferences: PreferenceStore
  suppressions: Pick<SuppressionStore, 'findRecipient'>
  findLinkedMail: FindLinkedMail
  /** In place of the address of a person whose data was erased. */
  erasedRecipient: string
  now: () => Date
}

/** A person's choices, and the mail whose link led there. */
export interface PersonPreferences {
  preferences: Preferences
  mailed: MailedRecipient
}

/** Actions of the preference link in a mail. Each throws `not_found` for an invalid link. */
export function createPreferenceService({ preferences, suppressions, findLinkedMail, erasedRecipient, now }: Ports) {
  const open = async (token: string) => {
    const link = await findLinkedMail(token)
    if (link === null) throw new AppError('not_found')
    const scope = authorize({ kind: 'system', task: 'preferences' }, 'suppressions:write', link.workspaceId)
    const mailed = await suppressions.findRecipient(scope, link)
    if (mailed === null || mailed.email === erasedRecipient) throw new AppError('not_found')
    return { link, scope, mailed }
  }
  return {
    /** Changes nothing. */
    async find(token: string): Promise<PersonPreferences> {
      const { scope, mailed } = await open(token)
      return { mailed, preferences: await preferences.find(scope, mailed.email) }
    },

    async save(token: string, choices: PreferenceChoices): Promise<PersonPreferences> {
      const { link, scope, mailed } = await open(token)
      const mail = { ...link, email: mailed.email, campaignId: mailed.campaignId }
      return { mailed, preferences: await preferences.save(scope, mail, choices, now()) }
    },
  }
}

export type PreferenceService = ReturnType<typeof createPreferenceService>
