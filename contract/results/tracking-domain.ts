import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './tracking-domain.routes.ts'

const orNull = <T extends ReturnType<typeof Type.String>>(type: T) => Type.Union([type, Type.Null()])

const TrackingDomain = Type.Object({
  id: Type.String(),
  host: Type.String(),
  state: Type.Enum(['pending', 'active', 'failing'], {
    description:
      'pending: not used yet; active: links and images of new mails use it; failing: it was active, new mails do without it',
  }),
  record: Type.Object(
    { type: Type.Literal('CNAME'), name: Type.String(), value: Type.String() },
    { description: 'The DNS record to create' },
  ),
  error: orNull(Type.String({ description: 'What to correct; null where the last check found nothing' })),
  checked_at: orNull(Type.String({ description: 'ISO 8601, UTC' })),
  failing_since: orNull(Type.String({ description: 'ISO 8601, UTC' })),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A host of the workspace for the links and images of its mails. */
export type TrackingDomain = Static<typeof TrackingDomain>

const byId = Type.Object({ id: Type.String() })

export const listTrackingDomains = defineOperation({
  name: 'listTrackingDomains',
  summary: 'The tracking domains of the workspace, oldest first',
  ...routeOf(routes.listTrackingDomains),
  access: 'member',
  permission: 'workspace:read',
  answers: { 200: { description: 'The domains.', body: Type.Array(TrackingDomain) } },
})

export const createTrackingDomain = defineOperation({
  name: 'createTrackingDomain',
  summary: 'Add a tracking domain; it is used once its DNS record and certificate were found',
  ...routeOf(routes.createTrackingDomain),
  access: 'member',
  permission: 'workspace:write',
  body: Type.Object({ host: Type.String({ minLength: 1, maxLength: 253, description: 'Such as links.example.com' }) }),
  answers: { 201: { description: 'Added, with the DNS record to create.', body: TrackingDomain } },
  errors: ['domain_invalid', 'domain_taken'],
})

export const checkTrackingDomain = defineOperation({
  name: 'checkTrackingDomain',
  summary: 'Check the DNS record and certificate of a tracking domain now; the server also checks them regularly',
  ...routeOf(routes.checkTrackingDomain),
  access: 'member',
  permission: 'workspace:write',
  params: byId,
  answers: { 200: { description: 'The domain, checked.', body: TrackingDomain } },
  errors: ['tracking_domain_not_found'],
})

export const deleteTrackingDomain = defineOperation({
  name: 'deleteTrackingDomain',
  summary: 'Remove a tracking domain; links of mails that have left work as long as its DNS record stays',
  ...routeOf(routes.deleteTrackingDomain),
  access: 'member',
  permission: 'workspace:write',
  params: byId,
  answers: { 204: { description: 'Removed.' } },
  errors: ['tracking_domain_not_found'],
})

export const allowTrackingHost = defineOperation({
  name: 'allowTrackingHost',
  summary: 'Whether a host is a tracking domain, for a proxy that obtains certificates on demand',
  ...routeOf(routes.allowTrackingHost),
  access: 'public',
  caller: 'program',
  query: Type.Object({ domain: Type.String({ minLength: 1, maxLength: 253 }) }),
  answers: { 200: { description: 'It is one.', body: Type.Object({ host: Type.String() }) } },
  errors: ['not_found'],
})
