import { accountOperations } from '../account/account.ts'
import { googleOperations } from '../account/google.ts'
import { sessionOperations } from '../account/sessions.ts'
import { profileOperations } from '../account/profile.ts'
import { configOperations } from '../mail/config.ts'
import { templateOperations } from '../mail/template.ts'
import { campaignOperations } from '../mail/campaign.ts'
import { campaignRecipientOperations } from '../mail/campaign-recipient.ts'
import { campaignLifecycleOperations } from '../mail/campaign-lifecycle.ts'
import { suppressionOperations } from '../audience/suppression.ts'
import { draftOperations } from '../mail/draft.ts'
import { workspaceOperations } from '../account/workspace.ts'
import { messageOperations } from '../mail/message.ts'
import { statisticsOperations } from '../results/statistics.ts'
import { embedOperations } from '../embed/embed.ts'
import { embedSessionOperations } from '../embed/embed-session.ts'
import { hostedOperations } from '../hosted/hosted.ts'
import { sandboxOperations } from '../mail/sandbox.ts'
import { healthOperations } from './health.ts'
import type { Operation } from './operation.ts'

/** All operations. Routes, client, OpenAPI description and documents are compared with this list. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...googleOperations,
  ...sessionOperations,
  ...profileOperations,
  ...configOperations,
  ...templateOperations,
  ...campaignOperations,
  ...campaignRecipientOperations,
  ...campaignLifecycleOperations,
  ...suppressionOperations,
  ...draftOperations,
  ...workspaceOperations,
  ...messageOperations,
  ...statisticsOperations,
  ...embedOperations,
  ...embedSessionOperations,
  ...hostedOperations,
  ...sandboxOperations,
  ...healthOperations,
]
