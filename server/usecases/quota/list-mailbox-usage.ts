import type { Provider } from '../../../contract/core/limits.ts'
import type { KnownLimits } from '../../domain/mailboxes/mailbox.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxQuotaStore } from '../../store/quota/mailbox-quota.ts'

interface Ports {
