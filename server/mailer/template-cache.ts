import type { DeliveryVariables } from '../domain/delivery.ts'
import { compileMail, type MailTemplate } from './mime.ts'
import type { SenderMessages } from './sender-ports.ts'

const cacheMaxBytes = 32 * 1024 * 1024

export interface TemplateCache {
  /**
   * The template of a message, read and compiled once for all its recipients; null if the message is gone.
   * Rejects with what the database said, or with MergeSyntaxError.
   */
  get: (messageId: string) => Promise<MailTemplate | null>
}

/** Keeps the templates that were used last, up to 32 MB of them. */
export function createTemplateCache(
  messages: SenderMessages,
  variables: DeliveryVariables = {},
  maxBytes = cacheMaxBytes,
): TemplateCache {
  const kept = new Map<string, { template: Promise<MailTemplate | null>; bytes: number }>()
  let keptBytes = 0

  const drop = (messageId: string) => {
    keptBytes -= kept.get(messageId)?.bytes ?? 0
    kept.delete(messageId)
  }

  const load = async (messageId: string) => {
    const content = await messages.findContent(messageId)
    return content && compileMail(content, variables)
  }

  return {
    async get(messageId) {
      const known = kept.get(messageId)
      if (known) {
        // A Map keeps the order of insertion: what was used last stands last.
        kept.delete(messageId)
        kept.set(messageId, known)
        return known.template
      }
      const entry = { template: load(messageId), bytes: 0 }
      kept.set(messageId, entry)
      try {
        const template = await entry.template
        if (kept.get(messageId) === entry) {
          entry.bytes = template?.sizeBytes ?? 0
          keptBytes += entry.bytes
          for (const oldest of kept.keys()) {
            if (keptBytes <= maxBytes || oldest === messageId) break
            drop(oldest)
          }
        }
        return template
      } catch (error) {
        if (kept.get(messageId) === entry) drop(messageId)
        throw error
      }
    },
  }
}
