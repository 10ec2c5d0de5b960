import { createReportStore } from '../../store/reports/report.ts'
import type { Parts } from '../core/parts.ts'

/** Reports of campaigns. */
export const reportStore = ({ database }: Parts) => createReportStore(database.pool)
