import { deleteEmailConfig } from '../../client/config.ts'
import { ApiError, errorText, type Session } from '../../client/http.ts'

/** Deletes a configuration; gives null, or why it could not be deleted. One that is gone already counts as deleted. */
export async function deleteConfig(session: Session, id: string): Promise<string | null> {
  return deleteEmailConfig(session, id).then(
    () => null,
    (error: unknown) => (error instanceof ApiError && error.status === 404 ? null : errorText(error)),
  )
}
