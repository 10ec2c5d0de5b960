import type { Change } from '../../domain/auth/hosted.ts'
import type { HostedChangeStore } from '../../store/hosted/hosted-change.ts'

interface Ports {
  changes: Pick<HostedChangeStore, 'lastId' | 'read'>
  log: { warn: (fields: object, message: string) => void }
}

/** Receives the changes of a collection. Its functions never throw. */
export interface Watcher {
  /** Once, before anything else: changes after this one follow. */
  ready: (lastId: number) => void
  deliver: (change: Change) => void
  /** Missed changes are no longer stored: list the collection again; changes after this one follow. */
  reload: (lastId: number) => void
  /** Resolves once what was delivered has left. */
  drained: () => Promise<void>
  /** Nothing more will come: the database did not answer. */
  broken: () => void
}

/** Delivers changes of collections to the watchers of a process, in commit order, each change once. */
export interface CollectionFeed {
  /**
   * Adds a watcher, from now on or from after the last change that it saw. Resolves once it is added, with the undo.
   * Rejects where the database does not answer.
   */
  watch: (collection: string, afterId: number | null, watcher: Watcher) => Promise<() => void>
  /** Looks for changes: of one collection, or of all, where something may have been missed. */
  wake: (collection: string | null) => void
}

interface Seat {
  watcher: Watcher
  /** Number of the last change delivered to it. */
  position: number
  state: 'catching up' | 'live' | 'left'
}

interface Channel {
  collection: string
  seats: Set<Seat>
  /** Number of the last change delivered to its live seats. */
  position: number
  /** Resolves once `position` is known. */
  opened: Promise<void>
  /** `again`: something came while it was reading. */
  reading: 'no' | 'yes' | 'again'
}

const readLimit = { count: 200, octets: 1024 * 1024 }

/** One reader for each collection that is watched, however many watch it. */
export function createCollectionFeed({ changes, log }: Ports): CollectionFeed {
  const channels = new Map<string, Channel>()

  function channelOf(collection: string): Channel {
    const known = channels.get(collection)
    if (known !== undefined) return known
    const channel: Channel = { collection, seats: new Set(), position: 0, opened: Promise.resolve(), reading: 'no' }
    channel.opened = changes.lastId(collection).then((lastId) => {
      channel.position = lastId
    })
    channels.set(collection, channel)
    return channel
  }

  function leave(channel: Channel, seat: Seat): void {
    seat.state = 'left'
    channel.seats.delete(seat)
    if (channel.seats.size === 0 && channels.get(channel.collection) === channel) channels.delete(channel.collection)
  }

  /** Reads for a seat of its own until it is where the live ones are, as fast as its watcher takes it. */
  async function catchUp(channel: Channel, seat: Seat): Promise<void> {
    // At least once: only the database knows whether a number from elsewhere is one of its own.
    do {
      const read = await changes.read(channel.collection, seat.position, readLimit)
      if (read.status === 'gap') {
        seat.position = read.lastId
        seat.watcher.reload(read.lastId)
      } else for (const change of read.changes) deliver(seat, change)
      await seat.watcher.drained()
    } while (seat.state === 'catching up' && seat.position < channel.position)
    if (seat.state === 'catching up') seat.state = 'live'
  }

  async function read(channel: Channel): Promise<void> {
    if (channel.reading !== 'no') {
      channel.reading = 'again'
      return
    }
    channel.reading = 'yes'
    try {
      await channel.opened
      while (await readOnce(channel)) channel.reading = 'yes'
    } catch (error) {
      log.warn({ err: error }, 'Changes could not be read: trying again soon')
    } finally {
      channel.reading = 'no'
    }
  }

  /** Whether there may be more. */
  async function readOnce(channel: Channel): Promise<boolean> {
    const read = await changes.read(channel.collection, channel.position, readLimit)
    const live = [...channel.seats].filter((seat) => seat.state === 'live')
    if (read.status === 'gap') {
      channel.position = read.lastId
      // One that has caught up meanwhile has this change already.
      for (const seat of live.filter(({ position }) => position !== read.lastId)) {
        seat.position = read.lastId
        seat.watcher.reload(read.lastId)
      }
      return true
    }
    for (const change of read.changes) {
      channel.position = change.id
      for (const seat of live) deliver(seat, change)
    }
    return read.changes.length > 0 || channel.reading === 'again'
  }

  return {
    async watch(collection, afterId, watcher) {
      const channel = channelOf(collection)
      const seat: Seat = { watcher, position: 0, state: 'catching up' }
      channel.seats.add(seat)
      try {
        await channel.opened
        seat.position = afterId ?? channel.position
        watcher.ready(seat.position)
        if (afterId === null) seat.state = 'live'
        else {
          catchUp(channel, seat).catch((error: unknown) => {
            log.warn({ err: error }, 'A realtime reader could not catch up')
            watcher.broken()
          })
        }
      } catch (error) {
        leave(channel, seat)
        throw error
      }
      return () => leave(channel, seat)
    },
    wake(collection) {
      for (const channel of channels.values()) {
        if (collection === null || collection === channel.collection) void read(channel)
      }
    },
  }
}

/** A seat that caught up alone may be ahead of the others: it gets no change twice. */
function deliver(seat: Seat, change: Change): void {
  if (seat.state === 'left' || change.id <= seat.position) return
  seat.position = change.id
  seat.watcher.deliver(change)
}
