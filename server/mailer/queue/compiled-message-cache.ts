import { LRUCache } from 'lru-cache'
import { MergeSyntaxError, type TemplatePart } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryVariables, MessageContent, UnopenedMessage } from '../../domain/messages/delivery.ts'
import { compileLargeMessage, isLarge, type LargeMailPorts, type LargeMessage } from '../mime/large-mail.ts'
import { compileMessage, type CompiledMessage } from '../mime/mime.ts'
import type { SenderMessages, SenderPorts } from './sender-ports.ts'
import { UnbuildableError } from '../mime/unbuildable-error.ts'

const cacheMaxBytes = 32 * 1024 * 1024

/** A message for recipients who are tracked, and as written for those who are not. */
export interface TrackedMessage {
  tracked: CompiledMessage | LargeMessage
  untracked: () => CompiledMessage | LargeMessage | Error
  sizeBytes: number
}

/** A compiled message, an error if it cannot be compiled, null if it does not exist any more. */
export type CachedMessage = CompiledMessage | LargeMessage | TrackedMessage | Error | null

export interface CompiledMessageCache {
  /** Undefined until `load` has compiled it, and again after it was evicted. */
  peek: (messageId: string) => CachedMessage | undefined
  /** Reads and compiles messages that are not cached. Rejects with errors of the database. */
  load: (workspaceId: string, messageIds: readonly string[]) => Promise<void>
}

/**
 * Caches the compiled messages used last, up to 32 MB. `large`: compiles large messages in threads; null: in this one.
 * `tracking`: null tracks none.
 */
export function createCompiledMessageCache(
  messages: SenderMessages,
  variables: DeliveryVariables = {},
  large: LargeMailPorts | null = null,
  maxBytes = cacheMaxBytes,
  tracking: SenderPorts['tracking'] | null = null,
): CompiledMessageCache {
  // A message above the limit takes the whole cache and stays there until the next one is loaded.
  const cache = new LRUCache<string, { message: CachedMessage }>({
    maxSize: maxBytes,
    sizeCalculation: ({ message }) => Math.min(Math.max(1, sizeOf(message)), maxBytes),
  })
  let last: { messageId: string; message: CachedMessage } | null = null

  const compileTracked = async (content: MessageContent | UnopenedMessage): Promise<CachedMessage> => {
    const untracked = () => compile(content, variables, large)
    if ('isUnopened' in content || !tracking) return untracked()
    try {
      const html = await tracking.track(content)
      if (html === null) return untracked()
      await tracking.saveLinks(content, html.links)
      const tracked = compile(content, { ...variables, ...html.variables }, large, html.html)
      if (tracked instanceof Error) return tracked
      let asWritten: ReturnType<typeof untracked> | null = null
      return { tracked, untracked: () => (asWritten ??= untracked()), sizeBytes: 3 * tracked.sizeBytes }
    } catch (error) {
      if (error instanceof MergeSyntaxError) return error
      throw error
    }
  }

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
        cache.set(messageId, { message: content ? await compileTracked(content) : null })
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
  html: readonly TemplatePart[] | null = null,
): CompiledMessage | LargeMessage | Error {
  if ('isUnopened' in content) {
    return new UnbuildableError('The values of this message cannot be decrypted with the server’s key. Send it again.')
  }
  if (large && isLarge(content)) return compileLargeMessage(content, variables, large, html)
  try {
    return compileMessage(content, variables, html ? { html } : {})
  } catch (error) {
    return error instanceof Error ? error : new Error('A message could not be compiled', { cause: error })
  }
}
