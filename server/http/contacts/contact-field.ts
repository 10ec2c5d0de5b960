import * as contract from '../../../contract/audience/contact-field.ts'
import type { FieldRow } from '../../domain/contacts/field-value.ts'
import type { createContactFieldService } from '../../usecases/contacts/contact-field-service.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/contact-fields`: custom fields of contacts. */
export function addContactFieldRoutes(add: AddRoute, fields: ReturnType<typeof createContactFieldService>): void {
  add(contract.listContactFields, async ({ scope }) => (await fields.listFields(scope)).map(toField))
  add(contract.listFieldValues, ({ params, scope }) => fields.listValues(scope, params.field))
  add(contract.createContactField, async ({ body, scope }) => toField(await fields.createField(scope, body)))
  add(contract.updateContactField, async ({ params, body, scope }) =>
    toField(await fields.updateField(scope, params.no, body)),
  )
  add(contract.deleteContactField, async ({ params, query, scope }) => {
    await fields.deleteField(scope, params.no, query.force ?? false)
    return null
  })
}

const toField = ({ createdAt, choices, ...field }: FieldRow): contract.ContactField => ({
  ...field,
  choices: [...choices],
  created_at: createdAt.toISOString(),
})
