import { addStatisticsRoutes } from '../http/statistics/statistics.ts'
import { createStatisticsStore } from '../store/statistics/statistics.ts'
import { createStatistics } from '../usecases/statistics/get-statistics.ts'
import { liveStreams } from './live.ts'
import { hourMs, secondMs, type Noun, type Parts } from './core/parts.ts'

const statisticsStore = ({ database }: Parts) => createStatisticsStore(database.pool)

export const statistics: Noun = {
  addRoutes: (add, { resolve }) =>
    addStatisticsRoutes(add, createStatistics({ statistics: resolve(statisticsStore), live: resolve(liveStreams) })),
  maintenance({ clock, resolve }, system) {
    const store = resolve(statisticsStore)
    return [
      { intervalMs: 5 * secondMs, run: () => store.gather(system) },
      { intervalMs: hourMs, run: async () => ((await clock.correct()) ? store.prune(system) : undefined) },
    ]
  },
}
