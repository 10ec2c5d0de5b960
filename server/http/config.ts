import * as contract from '../../contract/config.ts'
import { listDefaultCount } from '../../contract/limits.ts'
import { totalCountHeader } from '../../contract/paging.ts'
import type { Caller } from '../domain/caller.ts'
import type { EmbedAct } from '../../contract/embed.ts'
import type { ConfigRow } from '../domain/config.ts'
import type { EmbedCaller } from '../domain/embed.ts'
import type { AddRoute } from './route.ts'

/** Who begins a sign-in, and alone may finish it. */
interface SignInCaller {
  workspaceId: string
  userId: string
}

/** The use-cases behind the configuration calls. */
export interface ConfigUseCases {
  addConfig: (workspaceId: string, config: contract.NewConfig) => Promise<ConfigRow>
  startMailboxSignIn: (caller: SignInCaller, body: contract.MailboxSignIn) => Promise<string>
  finishMailboxSignIn: (caller: SignInCaller, given: { code: string; state: string }) => Promise<ConfigRow>
  listConfigs: (
    workspaceId: string,
    page: { limit: number; offset: number },
  ) => Promise<{ rows: readonly ConfigRow[]; total: number }>
  deleteConfig: (workspaceId: string, id: string) => Promise<void>
  listEmbedConfigs: (
    caller: EmbedCaller,
    page: { limit: number; offset: number },
  ) => Promise<{ rows: readonly ConfigRow[]; total: number }>
  addEmbedConfig: (caller: EmbedCaller, config: contract.NewConfig) => Promise<ConfigRow>
  requireEmbedConfig: (caller: EmbedCaller, id: string) => void
  noteEmbedAct: (caller: EmbedCaller, act: EmbedAct) => Promise<void>
}

/** `/email/config` and `/email/configs` (spec §7). Their answers hold secret keys: nobody may keep a copy. */
export function addConfigRoutes(add: AddRoute, useCases: ConfigUseCases): void {
  add(contract.addEmailConfig, async ({ body, caller, reply }) => {
    void reply.header('cache-control', 'no-store')
    const add =
      'grant' in caller ? useCases.addEmbedConfig(caller, body) : useCases.addConfig(caller.workspace.id, body)
    return toConfig(await add)
  })

  add(contract.startMailboxSignIn, async ({ body, caller, reply }) => {
    void reply.header('cache-control', 'no-store')
    return { url: await useCases.startMailboxSignIn(toSignInCaller(caller), body) }
  })

  add(contract.finishMailboxSignIn, async ({ body, caller, reply }) => {
    void reply.header('cache-control', 'no-store')
    return toConfig(await useCases.finishMailboxSignIn(toSignInCaller(caller), body))
  })

  add(contract.listEmailConfigs, async ({ query, caller, reply }) => {
    const page = { limit: query.limit ?? listDefaultCount, offset: query.offset ?? 0 }
    const list =
      'grant' in caller ? useCases.listEmbedConfigs(caller, page) : useCases.listConfigs(caller.workspace.id, page)
    const { rows, total } = await list
    void reply.headers({ 'cache-control': 'no-store', [totalCountHeader]: total })
    return rows.map(toConfig)
  })

  add(contract.deleteEmailConfig, async ({ params, caller }) => {
    if ('grant' in caller) useCases.requireEmbedConfig(caller, params.id)
    await useCases.deleteConfig(caller.workspace.id, params.id)
    if ('grant' in caller) await useCases.noteEmbedAct(caller, 'config-deleted')
    return null
  })
}

function toSignInCaller(caller: Caller): SignInCaller {
  return { workspaceId: caller.workspace.id, userId: caller.userId }
}

function toConfig(row: ConfigRow): contract.Config {
  return {
    id: row.id,
    email_address: row.emailAddress,
    provider: row.provider,
    secret_key: row.secretKey,
    status: row.status,
    pause_reason: row.pauseReason,
    created_at: row.createdAt.toISOString(),
  }
}
