import { addCheckRoutes } from '../../http/deliverability/check.ts'
import { checkLink } from '../../mailer/links/check-link.ts'
import { createSpamFilter } from '../../mailer/links/spam-filter.ts'
import { createDnsReader } from '../../mailer/links/dns-reader.ts'
import { createCheckStore } from '../../store/deliverability/check.ts'
import { createCheckService } from '../../usecases/deliverability/check-service.ts'
import { createSelfTest } from '../../usecases/deliverability/self-test.ts'
import { hourMs, type Noun, type Parts } from '../core/parts.ts'
import { selfTestPorts } from '../inbox.ts'
import { messageUseCases } from '../messages.ts'
import { workspaceStore } from '../workspaces.ts'
import { mailboxStores } from '../stores/mailboxes.ts'

const checkStore = ({ database }: Parts) => createCheckStore(database)

export const deliverability: Noun = {
  maintenance: ({ now, resolve }, system) => [
    { intervalMs: 24 * hourMs, run: () => resolve(checkStore).prune(system, now()) },
  ],
  addRoutes(add, { now, newId, publicUrl, resolve, settings: { spamFilter } }) {
    const { mailboxes } = resolve(mailboxStores)
    const checks = resolve(checkStore)
    const selfTest = resolve(selfTestPorts)
    const service = createCheckService({
      checks,
      mailboxes,
      workspaces: resolve(workspaceStore),
      dns: createDnsReader(),
      isReading: selfTest.isReading,
      checkLink,
      scoreMail: spamFilter && createSpamFilter(spamFilter),
      publicUrl,
      now,
      newId,
    })
    addCheckRoutes(
      add,
      service,
      createSelfTest({ mailboxes, sendTest: resolve(messageUseCases).sendTest, ...selfTest }),
    )
  },
}
