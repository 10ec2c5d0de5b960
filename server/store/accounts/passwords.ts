import { hash, verify } from '@node-rs/argon2'

/** Argon2id parameters of security.md: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each hash takes 19 MiB and one core: more at once would starve other work. */
const atOnceMaxCount = 4

export type Passwords = ReturnType<typeof createPasswords>

/** Hashes passwords and checks them, a few at a time. */
export function createPasswords() {
  const waiting: (() => void)[] = []
  let busyCount = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busyCount >= atOnceMaxCount) await new Promise<void>((resolve) => waiting.push(resolve))
    else busyCount++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busyCount--
    }
  }

  /** Hash for unknown accounts, so that the check takes equally long. */
  let dummy: Promise<string> | undefined

  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(password, cost)),

    /** False for a null hash too, after the same time. */
    async verify(known: string | null, password: string): Promise<boolean> {
      const stored = known ?? (await (dummy ??= hash('no password is this one', cost)))
      const isRight = await inTurn(() => verify(stored, password))
      return known !== null && isRight
    },
  }
}
