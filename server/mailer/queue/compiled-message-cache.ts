import type { DeliveryVariables, MessageContent, UnopenedMessage } from '../../domain/messages/delivery.ts'
import { isLarge, compileLargeMessage, type LargeMailPorts, type LargeMessage } from '../mime/large-mail.ts'
import { compileMessage, type CompiledMessage } from '../mime/mime.ts'
import type { SenderMessages } from './sender-ports.ts'
import { UnbuildableError } from '../mime/unbuildable-error.ts'

const cacheMaxBytes = 32 * 1024 * 1024

/** What is known of a message: its template, null if it is gone, or why it cannot be read. */
export type CachedMessage = CompiledMessage | LargeMessage | Error | null

export interface CompiledMessageCache {
  /** Undefined until `load` has read it, and when it was too long unused. */
  peek: (messageId: string) => CachedMessage | undefined
  /** Reads and compiles those that are not known. Rejects with what the database said. */
  load: (messageIds: readonly string[]) => Promise<void>
}

/** Keeps the templates that were used last, up to 32 MB of them. `large`: for messages that are built in threads; null: here. */
export function createCompiledMessageCache(
  messages: SenderMessages,
  variables: DeliveryVariables = {},
  large: LargeMailPorts | null = null,
  maxBytes = cacheMaxBytes,
): CompiledMessageCache {
  // A Map keeps the order of insertion: what was used last stands last.
  const kept = new Map<string, CachedMessage>()
  let keptBytes = 0
  let last: { messageId: string; template: CachedMessage } | null = null

  const sizeOf = (template: CachedMessage | undefined) =>
    template && !(template instanceof Error) ? template.sizeBytes : 0

  const keep = (messageId: string, template: CachedMessage) => {
    keptBytes -= sizeOf(kept.get(messageId))
    kept.delete(messageId)
    kept.set(messageId, template)
    keptBytes += sizeOf(template)
  }

  const makeRoom = () => {
    for (const [messageId, template] of kept) {
      if (keptBytes <= maxBytes || kept.size === 1) return
      keptBytes -= sizeOf(template)
      kept.delete(messageId)
    }
  }

  return {
    peek(messageId) {
      if (last?.messageId === messageId) return last.template
      const template = kept.get(messageId)
      if (template === undefined) return undefined
      keep(messageId, template)
      last = { messageId, template }
      return template
    },

    async load(messageIds) {
      const missing = messageIds.filter((messageId) => !kept.has(messageId))
      if (missing.length === 0) return
      const found = new Map((await messages.findContents(missing)).map((content) => [content.id, content]))
      // The first is needed first, so it comes last: where there is no room for all, the others make way.
      for (const messageId of missing.toReversed()) {
        const content = found.get(messageId)
        keep(messageId, content ? compile(content, variables, large) : null)
        makeRoom()
      }
    },
  }
}

function compile(
  content: MessageContent | UnopenedMessage,
  variables: DeliveryVariables,
  large: LargeMailPorts | null,
): CompiledMessage | LargeMessage | Error {
  if ('isUnopened' in content) {
    return new UnbuildableError('The values of this message do not open with the server’s key. Send it anew.')
  }
  if (large && isLarge(content)) return compileLargeMessage(content, variables, large)
  try {
    return compileMessage(content, variables)
  } catch (error) {
    return error instanceof Error ? error : new Error('A message could not be read', { cause: error })
  }
}
