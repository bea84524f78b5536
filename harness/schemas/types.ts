// Generated from the schemas in this folder by `npm run fix`; do not edit.

/**
 * goldens/differences.yaml: reviewed differences between two projections of one golden, both values pinned.
 */
export interface Differences {
differences: Difference[]
}
export interface Difference {
/**
 * Two server kinds.
 * 
 * @minItems 2
 * @maxItems 2
 */
between: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve" | "trtllm-serve" | "tokens")[]
field: ("reasoning" | "tool_calls" | "content" | "finish_reason")
/**
 * The exact value of each of the two; a key is left out where the value is absent.
 */
values: {
[k: string]: unknown
}
/**
 * A short name, the same for all differences of one cause.
 */
cause: string
reason: string
/**
 * Where it occurs: scenario:turn.
 * 
 * @minItems 1
 */
at: string[]
/**
 * Any when left out.
 */
history?: ("spliced" | "rerendered")
}

/**
 * [ids, text] or [ids, text, repeats]: a short row of ids with its decoded text.
 * 
 * @minItems 2
 * @maxItems 3
 */
export type GoldenRow = [ids: number[], text: string, repeats?: number]

/**
 * A reviewed, committed transcript with provenance: goldens/<model>/<history>/<scenario>.json.
 */
export interface Golden {
format: 1
scenario: string
model: string
history: ("spliced" | "rerendered")
identity: GoldenIdentity
context: GoldenContext
/**
 * @minItems 1
 */
turns: GoldenTurn[]
projections: {
[k: string]: Projection
}
}
/**
 * What the ids rest on; checked before any token.
 */
export interface GoldenIdentity {
/**
 * sha256 of tokenizer.json.
 */
tokenizer: string
/**
 * sha256 of the chat template.
 */
template: string
/**
 * sha256 over lag, filler and the entries that the scenario uses.
 */
codebook?: string
/**
 * sha256 of the scenario, comments and layout apart.
 */
scenario: string
/**
 * The sampling fields sent, as JSON.
 */
sampling: string
}
/**
 * How it was recorded; reported, not compared.
 */
export interface GoldenContext {
lane: string
server: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve" | "trtllm-serve" | "tokens")
emulated: boolean
harness: string
recorded_at: string
command: string
reason: string
}
export interface GoldenTurn {
/**
 * 1-based.
 */
turn: number
/**
 * How many ids of the previous turn's prompt + generation (terminal stop id included) this prompt begins with.
 */
keep: number
/**
 * What follows the kept ids.
 */
prompt: GoldenRow[]
/**
 * Generated ids without the terminal stop id.
 */
generation: GoldenRow[]
/**
 * The terminal stop id; null when the length limit cut the reply.
 */
stop: (number | null)
/**
 * Mean log-prob of the generated ids when recorded; reported, never compared.
 */
mean_logprob?: number
}
/**
 * One dialect's exact messages made of the shared token core.
 */
export interface Projection {
/**
 * Real engines of this dialect that gave exactly this; none so far when absent.
 */
confirmed_by?: string[]
context?: GoldenContext
/**
 * @minItems 1
 */
turns: ProjectedMessage[]
}
export interface ProjectedMessage {
content?: (string | null)
reasoning?: (string | null)
tool_calls?: (GoldenCall[] | null)
finish_reason: ("stop" | "length" | "tool_calls")
}
export interface GoldenCall {
name: string
arguments: string
}

/**
 * A backend set-up under test, one YAML file under ci/lanes/.
 */
export type Lane = {
name: string
about?: string
/**
 * Server kind: how requests are spelled and answers read.
 */
server: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve" | "trtllm-serve" | "tokens")
model: LaneModel
tokens?: LaneTokens
parsers: LaneParsers
/**
 * Whether generation ids end with the terminal stop id; the other form is a finding.
 */
eos: ("kept" | "trimmed")
/**
 * How earlier turns reach the prompt unless --history says otherwise.
 */
history?: ("spliced" | "rerendered")
/**
 * Context window in tokens.
 */
max_model_len?: number
/**
 * Version of the engine that the lane is for, or its beginning; another one is refused before anything is compared.
 */
version?: string
/**
 * File of the chat template, relative to the project; the tokenizer's own when absent. Its hash is part of the goldens' identity.
 */
chat_template?: string
/**
 * Which scenarios it plays: names, folders or globs, `!` in front leaves out; all when absent.
 * 
 * @minItems 1
 */
scenarios?: string[]
embedded?: EmbeddedServer
attach?: AttachedServer
launch?: LaunchedServer
}

export interface LaneModel {
/**
 * Folder of the goldens: goldens/<name>/<history>/.
 */
name: string
/**
 * Value of the request's `model`; the name when absent.
 */
served_as?: string
teleprompter?: LaneTeleprompter
/**
 * Folder of the checkpoint, relative to the project. {teleprompter} stands for the scripted checkpoint, which the harness writes itself.
 */
path?: string
/**
 * Number format the engine computes in, and of the scripted checkpoint.
 */
dtype?: ("bfloat16" | "float16" | "float32")
}
/**
 * The model is the scripted checkpoint with this lag.
 */
export interface LaneTeleprompter {
lag: (256 | 4096)
}
/**
 * For the server kind `tokens`: the harness's oracle renders, splices and parses; the server gets ids and gives ids.
 */
export interface LaneTokens {
/**
 * Route that takes ids: vLLM's /inference/v1/generate or /v1/completions, SGLang's /generate, trtllm-serve's /v1/completions.
 */
api: ("vllm-generate" | "vllm-completions" | "sglang" | "trtllm-completions")
projection: TokensProjection
}
/**
 * For each history the lane can play, the server kind whose prompts and messages the oracle makes; its projection in the goldens is what they are compared with.
 */
export interface TokensProjection {
spliced?: ("nemo-rl-vllm" | "nemo-rl-trtllm")
rerendered?: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve")
}
/**
 * Parsers the server is configured with; on a token lane those the oracle parses with.
 */
export interface LaneParsers {
tool: string
reasoning: string
}
/**
 * Start the bundled emulation of this server kind.
 */
export interface EmbeddedServer {

}
export interface AttachedServer {
/**
 * Base URL of a running server, without /v1; ${NAME} is taken from the environment.
 */
url: string
/**
 * Environment variable holding a bearer token.
 */
api_key_env?: string
}
/**
 * Start the server and stop it again. Known {names} are filled in: {port}, {host}, {name}, {model.path}, {model.served_as}, {model.dtype}; ${NAME} is taken from the environment; other braces are literal.
 */
export interface LaunchedServer {
/**
 * Program and arguments, no shell; srun, docker run or uv run fit in front.
 * 
 * @minItems 1
 */
command: string[]
/**
 * Set for the server.
 */
env?: {
[k: string]: string
}
/**
 * Variables of the caller that the server sees too, beside a small base; a final * stands for any ending.
 */
keep_env?: string[]
/**
 * Base URL without /v1; {handshake.url} takes it from the JSON line that the command prints.
 */
url?: string
/**
 * Run first when stopping, for what no signal reaches, such as a container.
 * 
 * @minItems 1
 */
stop?: string[]
ready?: LaunchReady
}
export interface LaunchReady {
/**
 * One deadline for all of the start.
 */
within?: string
}

/**
 * results.json of a run folder.
 */
export interface Results {
format: 1
status: ("equal" | "diverged" | "invalid" | "infra" | "incomplete")
exitCode: number
/**
 * Why the run was invalid, infra or incomplete.
 */
message?: string
lanes: LaneResult[]
totals: Totals
findings: Finding[]
normalisers: NormaliserUse[]
/**
 * Listed differences that this run rests on, one entry per cause and field.
 */
differences: DifferenceUse[]
/**
 * Waivers that this run rests on.
 */
waivers: WaiverUse[]
/**
 * What this run could not show.
 */
notCovered: string[]
timings: RunTimings
/**
 * Mean log-prob per turn against the golden's: reported, not asserted.
 */
logprobs?: LogprobDifference[]
/**
 * In how many turns each field was asserted.
 */
fields?: FieldCount[]
/**
 * First findings by cause: the same cause over scenarios and turns is one group, in the order of the report.
 */
groups?: FindingGroup[]
}
export interface LaneResult {
lane: string
server: string
emulated: boolean
state: ("ready" | "infra" | "incomplete")
message?: string
scenarios: number
turns: number
/**
 * Fields compared or checked.
 */
assertions: number
/**
 * Fields among them that our own oracle computed: no evidence about the server. Token lanes only.
 */
oracleFields?: number
}
export interface Totals {
scenarios: number
turns: number
/**
 * Ids compared, those of our own oracle apart.
 */
ids: number
/**
 * Ids among them that a server made or chose; the others only echo what the client sent.
 */
serverIds: number
/**
 * Bytes of text compared, those of our own oracle apart.
 */
bytes: number
/**
 * Fields compared or checked.
 */
assertions: number
oracle?: OracleTotals
}
/**
 * What our own oracle computed on token lanes and was compared with the goldens: no evidence about a server. Absent without a token lane.
 */
export interface OracleTotals {
/**
 * Among `assertions`.
 */
fields: number
/**
 * Not in `ids`: prompt ids that the oracle made and sent.
 */
ids: number
/**
 * Not in `bytes`: text that the oracle parsed.
 */
bytes: number
}
export interface Finding {
lane: string
scenario: string
turn: number
field: string
/**
 * 0-based index of the first difference, in ids or UTF-16 units; null where the field has none.
 */
index: (number | null)
/**
 * A window around the first difference; null may also mean absent, see summary.
 */
expected: unknown
actual: unknown
/**
 * Whom the local oracle agrees with.
 */
reference: ("expected" | "actual" | "neither" | "unknown")
verdict: ("ENV" | "REQ" | "TMPL" | "TOK" | "SPLICE" | "STOP" | "NUM" | "DETOK" | "REAS" | "TOOL" | "SER" | "ERR" | "LIFE" | "UNKNOWN")
summary: string
/**
 * The finding it only follows from: scenario:turn field.
 */
followsFrom?: string
/**
 * file:line of the turn.
 */
location?: string
evidence?: string[]
/**
 * The other side: `golden`, or a lane.
 */
against?: string
/**
 * Why a waiver of this place does not hold: drifted or expired.
 */
waiver?: string
/**
 * Name of the cause; harness/diagnose/causes.md describes each. Absent when only the layer is known.
 */
cause?: string
/**
 * Which side is wrong: the lane, what it is compared with, both, neither (each does what its server kind does), or not verified.
 */
deviates?: ("lane" | "other" | "both" | "neither" | "unknown")
/**
 * What is wrong, said of the side that deviates.
 */
says?: string
/**
 * Whether the local oracle's word is evidence of its own: it shares code with the bundled emulations.
 */
oracle?: ("independent" | "shares_code")
}
export interface NormaliserUse {
name: string
version: number
count: number
}
export interface DifferenceUse {
cause: string
field: string
between: string[]
reason: string
count: number
at: string[]
}
export interface WaiverUse {
lane: string
scenario: string
turn: number
field: string
owner: string
reason: string
link: string
expires: string
}
export interface RunTimings {
launch_ms: number
replay_ms: number
compare_ms: number
write_ms: number
total_ms: number
/**
 * Until started servers answered, and until they were gone.
 */
wait_ms?: number
/**
 * Part of the replay: from sending a request to the last byte of its answer.
 */
request_ms?: number
}
export interface LogprobDifference {
lane: string
scenario: string
turn: number
golden: number
lane_mean: number
}
export interface FieldCount {
field: string
turns: number
}
export interface FindingGroup {
verdict: string
cause?: string
lane: string
against?: string
deviates?: string
count: number
/**
 * Index in `findings` of the smallest example.
 */
example?: number
/**
 * Every place as scenario:turn field; the first is the smallest example.
 */
at: string[]
}

/**
 * run.json of a run folder: what was asked, of whom, where.
 */
export interface Run {
format: 1
id: string
harness: string
node: string
platform: string
started_at: string
finished_at?: string
/**
 * Arguments after `parity`.
 */
command: string[]
options: RunOptions
lanes: RunLane[]
scenarios: string[]
}
export interface RunOptions {
history?: ("spliced" | "rerendered")
continuation: ("own" | "golden")
plant?: string
/**
 * Goldens when left out.
 */
against?: ("goldens" | "each-other")
}
export interface RunLane {
lane: string
server: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve" | "trtllm-serve" | "tokens")
/**
 * Token lanes only: the route that takes ids.
 */
api?: string
/**
 * Token lanes only: the server kind for which the oracle makes prompts and messages.
 */
projection?: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve")
model: string
history: ("spliced" | "rerendered")
eos: ("kept" | "trimmed")
emulated: boolean
url?: string
tokenizer: string
template: string
state: ("ready" | "infra" | "incomplete")
message?: string
/**
 * What it was to play; every transcript must be there.
 */
scenarios?: string[]
engine?: RunEngine
launch?: RunLaunch
}
/**
 * What the server says of itself.
 */
export interface RunEngine {
version?: string
models?: string[]
max_model_len?: number
}
/**
 * How the harness started the server, and what became of it.
 */
export interface RunLaunch {
command: string[]
/**
 * All that the server saw of the environment; secrets are not spelled.
 */
env: {
[k: string]: string
}
/**
 * File below the run folder.
 */
log: string
phases: RunPhase[]
/**
 * Plain values of the JSON line that the command printed.
 */
handshake?: {
[k: string]: string | number | boolean | null
}
/**
 * How the command ended, when it ended by itself.
 */
exit?: string
/**
 * Processes that outlived every stop.
 */
survivors?: string[]
}
export interface RunPhase {
phase: string
/**
 * Since the start of the command.
 */
at_ms: number
}

export type ScenarioPart = (string | ScenarioPieces | ScenarioIds)

/**
 * A scripted conversation, one YAML file under scenarios/.
 */
export interface Scenario {
/**
 * Path of the file under scenarios/ without .yaml.
 */
name: string
/**
 * One sentence for a reader.
 */
about: string
/**
 * What it exercises, in a few words each.
 * 
 * @minItems 1
 */
exercises: string[]
/**
 * The system message; none is sent when absent.
 */
system?: string
/**
 * Tool definitions, sent with the keys, key order and number spelling of the file.
 * 
 * @minItems 1
 */
tools?: {

}[]
/**
 * Sent as chat_template_kwargs.enable_thinking; nothing is sent when absent.
 */
thinking?: boolean
sampling?: ScenarioSampling
echo?: ScenarioEcho
/**
 * @minItems 1
 * @maxItems 200
 */
turns: ScenarioTurn[]
}
export interface ScenarioSampling {
/**
 * Limit of generated tokens.
 */
max_tokens?: number
/**
 * Alternatives asked for per token.
 */
top_logprobs?: number
}
/**
 * How answers are sent back as history; exactly as received when absent.
 */
export interface ScenarioEcho {
/**
 * stripped: without white space at both ends.
 */
content?: ("as_received" | "stripped")
reasoning?: ("as_received" | "left_out")
/**
 * Which assistant messages carry their ids, where history is spliced.
 */
ids?: ("all" | "last" | "none")
}
export interface ScenarioTurn {
/**
 * A user message.
 */
user?: string
/**
 * Tool results, one per call of the previous answer, in call order.
 * 
 * @minItems 1
 */
results?: string[]
/**
 * What the teleprompter model answers. Ignored by real models.
 */
say?: (string | ScenarioPart[])
/**
 * Overrides the scenario's `thinking` for this turn.
 */
thinking?: boolean
sampling?: ScenarioSampling
expect?: TurnExpectation
}
export interface ScenarioPieces {
/**
 * Each piece is tokenized alone.
 * 
 * @minItems 1
 */
pieces: string[]
}
export interface ScenarioIds {
/**
 * Token ids as they are.
 */
ids: number[]
}
/**
 * What proves that a turn exercised what the scenario is about.
 */
export interface TurnExpectation {
finish_reason?: ("stop" | "length" | "tool_calls")
/**
 * Names of the parsed calls in order; [] means that none was parsed.
 */
tool_calls?: string[]
/**
 * Exact argument text of each parsed call.
 */
arguments?: string[]
/**
 * Exact content; null and "" stand for none: null, absent or empty.
 */
content?: (string | null)
content_includes?: string[]
/**
 * Exact reasoning; null and "" stand for none: null, absent or empty.
 */
reasoning?: (string | null)
reasoning_includes?: string[]
/**
 * Texts that the decoded prompt must contain.
 */
prompt_includes?: string[]
/**
 * Ids that must be generated, in this order, side by side.
 */
generation_includes?: number[]
/**
 * Whether tokenizing the generated text gives other ids than were generated.
 */
non_canonical?: boolean
/**
 * Replaces single expectations for one server kind.
 */
by_dialect?: {
[k: string]: Expectation
}
}
/**
 * What proves that a turn exercised what the scenario is about.
 */
export interface Expectation {
finish_reason?: ("stop" | "length" | "tool_calls")
/**
 * Names of the parsed calls in order; [] means that none was parsed.
 */
tool_calls?: string[]
/**
 * Exact argument text of each parsed call.
 */
arguments?: string[]
/**
 * Exact content; null and "" stand for none: null, absent or empty.
 */
content?: (string | null)
content_includes?: string[]
/**
 * Exact reasoning; null and "" stand for none: null, absent or empty.
 */
reasoning?: (string | null)
reasoning_includes?: string[]
/**
 * Texts that the decoded prompt must contain.
 */
prompt_includes?: string[]
/**
 * Ids that must be generated, in this order, side by side.
 */
generation_includes?: number[]
/**
 * Whether tokenizing the generated text gives other ids than were generated.
 */
non_canonical?: boolean
}

/**
 * What one lane answered to one scenario; raw values: absent, null and "" are three things.
 */
export interface Transcript {
format: 1
lane: string
server: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve" | "trtllm-serve" | "tokens")
/**
 * Token lanes only: the server kind for which the oracle made prompts and messages. They are the oracle's own, not the server's.
 */
projection?: ("nemo-rl-vllm" | "nemo-rl-trtllm" | "vllm-serve")
/**
 * The server was a bundled emulation: no evidence about a real engine.
 */
emulated: boolean
scenario: string
/**
 * sha256 of the scenario file's text.
 */
scenario_hash: string
model: string
history: ("spliced" | "rerendered")
continuation: ("own" | "golden")
eos: ("kept" | "trimmed")
parsers: TranscriptParsers
/**
 * Every turn got an HTTP answer.
 */
complete: boolean
turns: TranscriptTurn[]
}
/**
 * Parsers of the lane.
 */
export interface TranscriptParsers {
tool: string
reasoning: string
}
export interface TranscriptTurn {
/**
 * 1-based.
 */
turn: number
/**
 * File of the raw exchange, relative to the run folder.
 */
exchange: string
/**
 * refused: an error status; unreadable: a body that is no chat answer; no_answer: infrastructure.
 */
outcome: ("answered" | "refused" | "unreadable" | "no_answer")
http_status?: number
/**
 * Why there is no answer to compare.
 */
error?: string
/**
 * Limit that was sent.
 */
max_tokens: number
/**
 * Messages that this turn added to the request.
 */
sent: SentMessage[]
/**
 * False only when the request switched thinking off.
 */
thinking: boolean
/**
 * Whether the request offered tools.
 */
tools: boolean
prompt_token_ids?: number[]
/**
 * As received, with or without the terminal stop id.
 */
generation_token_ids?: number[]
/**
 * Role of the message; null where the answer names none.
 */
role?: (string | null)
/**
 * Index that the one choice gives itself; null where it gives none.
 */
choice_index?: (number | null)
content?: (string | null)
reasoning?: (string | null)
reasoning_field?: ("reasoning" | "reasoning_content")
tool_calls?: (ToolCall[] | null)
finish_reason?: (string | null)
/**
 * Token lanes only: what the server said; `finish_reason` is what the message of the projection says.
 */
engine_finish_reason?: (string | null)
usage?: Usage
/**
 * One per generated id; null where the server sent something that is no finite number.
 */
logprobs?: (number | null)[]
top_logprobs?: Alternative[][]
timings: TurnTimings
/**
 * Bytes [from, to) of the launched server's log written during this exchange.
 * 
 * @minItems 2
 * @maxItems 2
 */
log?: [from: number, to: number]
}
export interface SentMessage {
role: string
content: string
}
export interface ToolCall {
id?: (string | null)
type?: (string | null)
name: string
/**
 * JSON text exactly as received.
 */
arguments: string
}
export interface Usage {
prompt_tokens: number
completion_tokens: number
total_tokens: number
}
export interface Alternative {
token: string
logprob: (number | null)
}
/**
 * Milliseconds.
 */
export interface TurnTimings {
/**
 * Since the scenario's start.
 */
sent_ms: number
headers_ms?: number
total_ms: number
}

/**
 * goldens/waivers.yaml: known, owned, dated divergences of one lane that pin the deviating value.
 */
export interface Waivers {
waivers: Waiver[]
}
export interface Waiver {
lane: string
scenario: string
turn: number
field: string
/**
 * Exact value of the other side; ids as sha256:<hex>. Left out where absent.
 */
expected?: unknown
/**
 * Exact deviating value; ids as sha256:<hex>. Left out where absent.
 */
actual?: unknown
owner: string
reason: string
link: string
/**
 * Last day on which it holds.
 */
expires: string
/**
 * Any when left out.
 */
history?: ("spliced" | "rerendered")
}
