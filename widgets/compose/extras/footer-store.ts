import { getWorkspace } from '../../../client/account/workspace.ts'
import type { Session } from '../../../client/core/http.ts'

/** The postal address of the workspace; '' if it has none, null if it could not be read. */
export async function readAddress(session: Session): Promise<string | null> {
  try {
    return (await getWorkspace(session)).postal_address?.trim() ?? ''
  } catch {
    return null // The preview goes without.
  }
}
