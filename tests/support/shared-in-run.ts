/** A resource of a run, and how many projects use it. */
interface Shared {
  started: Promise<{ stop: () => Promise<void> }>
  userCount: number
}

/** Setup files are loaded once for each project: what projects share must be outside of their modules. */
const ofRun = globalThis as { sharedInRun?: Map<string, Shared> }

/** Starts a resource for the first project that asks for it; `release` of the last project stops it. */
export async function shareInRun<Started extends { stop: () => Promise<void> }>(
  name: string,
  start: () => Promise<Started>,
): Promise<{ value: Started; release: () => Promise<void> }> {
  const shared = (ofRun.sharedInRun ??= new Map<string, Shared>())
  const one = shared.get(name) ?? { started: start(), userCount: 0 }
  one.userCount += 1
  shared.set(name, one)
  const value = (await one.started) as Started
  const release = async () => {
    one.userCount -= 1
    if (one.userCount > 0) return
    shared.delete(name)
    await value.stop()
  }
  return { value, release }
}
