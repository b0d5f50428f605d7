import type { OpenWing } from '../http/wing.ts'
import { mcpRoute } from './mcp-route.ts'

export const agents: OpenWing = ({ mcp }, { pages }) => ({ routes: mcp === 'true' ? [mcpRoute(pages)] : [] })
