import { networkOf } from '../limits/attempt.ts'

/** The /24 or /48 of an address: as much of it as is used to tell networks apart. */
export function clientNetwork(address: string): string {
  const network = networkOf(address)
  return network.includes(':') ? network.split(':').slice(0, 3).join(':') : network.split('.').slice(0, 3).join('.')
}

/** The client behind trusted proxies: the last address of the chain that is none of theirs. */
export function clientAddress(
  remote: string,
  forwardedFor: string | undefined,
  isTrustedProxy: (address: string) => boolean,
): string {
  let address = remote
  const chain = (forwardedFor ?? '').split(',').map((part) => part.trim())
  while (isTrustedProxy(address)) {
    const next = chain.pop()
    if (next === undefined || next === '') break
    address = next
  }
  return address
}
