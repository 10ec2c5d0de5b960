import { parseTemplate, variableKey, variablesOf } from '../../../contract/mail/merge-variables.ts'
import type { FieldDefinition } from '../contacts/field-value.ts'
import { addressVariable, baseVariable, testVariable, unsubscribeVariable } from './campaign-mail.ts'

/** What of a contact fills merge variables of a mail. */
export interface MergeFields {
  fields: readonly Pick<FieldDefinition, 'no' | 'key'>[]
  /** Whether `{{email}}` is the contact's address: no field has this name. */
  usesAddress: boolean
}

const ownVariables = new Set([addressVariable, baseVariable, testVariable, unsubscribeVariable].map(variableKey))
const addressKey = 'email'

/** Fields whose values a mail shows; names are compared as merge variables are. */
export function mergeFieldsOf(
  { subject, content }: { subject: string; content: string },
  fields: readonly Pick<FieldDefinition, 'no' | 'key'>[],
): MergeFields {
  const keys = new Set(variablesOf([...parseTemplate(subject), ...parseTemplate(content)]).map(variableKey))
  for (const own of ownVariables) keys.delete(own)
  const used = fields.filter(({ key }) => keys.has(variableKey(key)))
  const hasAddressField = used.some(({ key }) => variableKey(key) === addressKey)
  return { fields: used, usesAddress: keys.has(addressKey) && !hasAddressField }
}
