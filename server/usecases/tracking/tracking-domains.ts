import { AppError } from '../../../contract/core/errors.ts'
import { trackingDomainFailedMail, type MailToAccount } from '../../domain/accounts/account-mail.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import {
  faultSentence,
  readTrackingHost,
  type HostFault,
  type TrackingDomainRow,
} from '../../domain/tracking/tracking-domain.ts'
import type { DueDomain, TrackingDomainStore } from '../../store/tracking/tracking-domain.ts'

interface Ports {
  domains: Pick<TrackingDomainStore, 'list' | 'find' | 'add' | 'remove' | 'noteCheck' | 'listOwners'>
  /** Null where the host leads to `target` with a valid certificate. Rejects where no name server answers. */
  checkHost: (host: string, target: string) => Promise<HostFault | null>
  /** The deployment's own host. */
  target: string
  mailTo: MailToAccount
  sendMail: (mail: NewMessage) => Promise<unknown>
  scopeOf: (workspaceId: string) => Scope
  /** The hosts that are in use may have changed. */
  onChanged: () => void
  now: () => Date
  newId: () => string
}

/** Tracking domains of a workspace, and their checks. */
export function createTrackingDomains(ports: Ports) {
  const { domains, target, now, newId } = ports

  async function check(scope: Scope, { id, host }: Pick<TrackingDomainRow, 'id' | 'host'>) {
    const fault = await ports.checkHost(host, target)
    const error = fault && faultSentence(host, target, fault)
    const checked = await domains.noteCheck(scope, id, { error, now: now() })
    if (checked === null) return null
    const { domain, was } = checked
    if (domain.state !== was) ports.onChanged()
    if (domain.state === 'failing' && was === 'active') await tellOwners(scope, domain)
    return domain
  }

  async function tellOwners(scope: Scope, { host, error }: TrackingDomainRow): Promise<void> {
    for (const owner of await domains.listOwners(scope)) {
      const to = ports.mailTo(owner, '/dashboard/tracking')
      await ports.sendMail(trackingDomainFailedMail({ ...to, host, reason: error ?? '' }))
    }
  }

  return {
    list: (scope: Scope) => domains.list(scope),

    /** Throws `domain_invalid`, `domain_taken`. */
    async add(scope: Scope, text: string): Promise<TrackingDomainRow> {
      const host = readTrackingHost(text, target)
      if (host === null) {
        const msg = 'host is not a public subdomain of your own; enter one such as links.example.com'
        throw new AppError('domain_invalid', { items: [{ loc: ['body', 'host'], msg, type: 'domain_invalid' }] })
      }
      const added = await domains.add(scope, { id: newId(), host, token: newId(), now: now() })
      if (added === null) throw new AppError('domain_taken')
      return added
    },

    /** Throws `tracking_domain_not_found`. */
    async check(scope: Scope, id: string): Promise<TrackingDomainRow> {
      const known = await domains.find(scope, id)
      const checked = known && (await check(scope, known))
      if (checked === null) throw new AppError('tracking_domain_not_found')
      return checked
    },

    /** Throws `tracking_domain_not_found`. */
    async remove(scope: Scope, id: string): Promise<void> {
      if (!(await domains.remove(scope, id))) throw new AppError('tracking_domain_not_found')
      ports.onChanged()
    },

    /** A check that was due. */
    async runDue({ workspaceId, ...domain }: DueDomain): Promise<void> {
      await check(ports.scopeOf(workspaceId), domain)
    },
  }
}
