import { LRUCache } from 'lru-cache'
import type { DeliveryVariables, MessageContent, UnopenedMessage } from '../../domain/messages/delivery.ts'
import { compileLargeMessage, isLarge, type LargeMailPorts, type LargeMessage } from '../mime/large-mail.ts'
import { compileMessage, type CompiledMessage } from '../mime/mime.ts'
import type { SenderMessages } from './sender-ports.ts'
import { UnbuildableError } from '../mime/unbuildable-error.ts'

const cacheMaxBytes = 32 * 1024 * 1024

/** A compiled message, an error if it cannot be compiled, null if it does not exist any more. */
export type CachedMessage = CompiledMessage | LargeMessage | Error | null

export interface CompiledMessageCache {
  /** Undefined until `load` has compiled it, and again after it was evicted. */
  peek: (messageId: string) => CachedMessage | undefined
  /** Reads and compiles messages that are not cached. Rejects with errors of the database. */
  load: (workspaceId: string, messageIds: readonly string[]) => Promise<void>
}

/**
 * Caches the compiled messages used last, up to 32 MB. `large`: compiles large messages in threads; null: in this one.
 */
export function createCompiledMessageCache(
  messages: SenderMessages,
  variables: DeliveryVariables = {},
  large: LargeMailPorts | null = null,
  maxBytes = cacheMaxBytes,
): CompiledMessageCache {
  // A message above the limit takes the whole cache and stays there until the next one is loaded.
  const cache = new LRUCache<string, { message: CachedMessage }>({
    maxSize: maxBytes,
    sizeCalculation: ({ message }) => Math.min(Math.max(1, sizeOf(message)), maxBytes),
  })
  let last: { messageId: string; message: CachedMessage } | null = null

  return {
    peek(messageId) {
      if (last?.messageId === messageId) return last.message
      const cached = cache.get(messageId)
      if (cached === undefined) return undefined
      last = { messageId, message: cached.message }
      return cached.message
    },

    async load(workspaceId, messageIds) {
      const missing = messageIds.filter((messageId) => !cache.has(messageId))
      if (missing.length === 0) return
      const found = new Map((await messages.findContents(workspaceId, missing)).map((content) => [content.id, content]))
      // The first message is needed first. It is added last, so that it is not evicted if the cache is too small for all.
      for (const messageId of missing.toReversed()) {
        const content = found.get(messageId)
        cache.set(messageId, { message: content ? compile(content, variables, large) : null })
      }
    },
  }
}

function sizeOf(message: CachedMessage): number {
  return message && !(message instanceof Error) ? message.sizeBytes : 0
}

function compile(
  content: MessageContent | UnopenedMessage,
  variables: DeliveryVariables,
  large: LargeMailPorts | null,
): CompiledMessage | LargeMessage | Error {
  if ('isUnopened' in content) {
    return new UnbuildableError('The values of this message cannot be decrypted with the server’s key. Send it again.')
  }
  if (large && isLarge(content)) return compileLargeMessage(content, variables, large)
  try {
    return compileMessage(content, variables)
  } catch (error) {
    return error instanceof Error ? error : new Error('A message could not be compiled', { cause: error })
  }
}
