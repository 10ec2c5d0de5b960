import type { FreshSession, Host } from './contract.ts'
import { SessionRefused } from './session.ts'

export async function signIn(
  frames: Set<HTMLElement>,
  where: { api: string; embed: string },
  host: Host,
): Promise<FreshSession> {
  void frames
  void host
  void where
  return Promise.reject(new SessionRefused('Not yet.'))
}
