import { isCollectionName, type HostedKeyKind } from '../../domain/auth/hosted.ts'
import { isRowId } from '../../domain/core/id.ts'
import { hashToken, type TokenKind } from '../../domain/auth/token.ts'
import type { HostedKeyStore } from '../../store/hosted/hosted-key.ts'

interface Ports {
  keys: Pick<HostedKeyStore, 'create' | 'list' | 'revoke'>
  newId: () => string
  newToken: (kind: TokenKind) => string
}

/** A new key. `collections` empty: all collections. */
export interface NewHostedKey {
  kind: HostedKeyKind
  name: string
  collections: readonly string[]
}

/** What cannot be done; the message is one sentence for the operator. */
export class HostedKeyError extends Error {
  override readonly name = 'HostedKeyError'
}

const nameMaxChars = 100

/** Creates and revokes API keys of the hosted data backend. `create` returns the key, which is not stored. */
export function createManageHostedKeys({ keys, newId, newToken }: Ports) {
  return {
    /** Throws HostedKeyError. */
    async create({ kind, name, collections }: NewHostedKey): Promise<{ id: string; apiKey: string }> {
      if (name.trim() === '' || name.length > nameMaxChars) {
        throw new HostedKeyError(`Give the key a name of 1 to ${nameMaxChars} characters, such as “website”.`)
      }
      const wrong = collections.find((collection) => !isCollectionName(collection))
      if (wrong !== undefined) {
        throw new HostedKeyError(
          `“${wrong}” cannot be a collection; use letters, digits, dots, dashes and underscores, beginning with a letter or digit.`,
        )
      }
      const id = newId()
      const apiKey = newToken(kind === 'read' ? 'hosted_read' : 'hosted_write')
      const confined = collections.length === 0 ? null : [...new Set(collections)]
      await keys.create({ id, name, kind, keyHash: hashToken(apiKey), collections: confined })
      return { id, apiKey }
    },

    list: () => keys.list(),

    /** Ends a key at once, and the websockets that were opened with it. Throws HostedKeyError where there is none to end. */
    async revoke(id: string): Promise<void> {
      if (!isRowId(id) || !(await keys.revoke(id))) {
        throw new HostedKeyError('No key that is in use has this id; list shows them.')
      }
    },
  }
}
