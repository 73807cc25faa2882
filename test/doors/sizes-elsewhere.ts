import { MAX_DOCUMENT_BYTES } from "../../src/agent/knowledge/limits.ts";
import { LIST_FORM } from "../../src/campaign/import/list-form.ts";
import { PARTICIPANT_BYTES, PARTICIPANT_FRAMES } from "../../src/conversation/runtime/frame-rate.ts";
import {
  MAX_WAITING_CHARS,
  MAX_WAITING_FRAMES,
  UNPROVEN_OF_ADDRESS,
} from "../../src/conversation/runtime/open-socket.ts";
import { MAX_MESSAGE_CHARS } from "../../src/conversation/runtime/protocols/protocol.ts";
import { MAX_BODY_MS, MAX_FILE_MS } from "../../src/kernel/http/body-deadline.ts";
import { MAX_FILE_BYTES } from "../../src/lists/limits.ts";
import { MAX_RECORDING_BYTES } from "../../src/phone/carriers/http.ts";
import { PREVIEWS_AN_HOUR } from "../../src/phone/voices/contract.ts";
import { MAX_ARCHIVE_BYTES } from "../../src/records/stores.ts";

/** A size that a single request does not have, or whose request takes too long to be made here. */
export interface SizeElsewhere {
  name: string;
  bound: number;
  /** The response just over the limit. */
  over: string;
  /** The test that sends it: its file and its name. */
  test: [file: string, name: string];
  cost: string;
}

export const ELSEWHERE: SizeElsewhere[] = [
  {
    name: "Previews of voices in an hour",
    bound: PREVIEWS_AN_HOUR,
    over: "429 too_many_previews",
    test: ["test/phone/voices/preview.test.ts", "a preview can be requested thirty times an hour per account"],
    cost: "one value in the gate's storage",
  },
  {
    name: "Document, bytes",
    bound: MAX_DOCUMENT_BYTES,
    over: "413 body_too_large",
    test: ["test/agent/knowledge/errors.test.ts", "a file larger than 20 MB is refused"],
    cost: "held in memory until it is stored",
  },
  {
    name: "File of a list, bytes",
    bound: MAX_FILE_BYTES,
    over: "413 body_too_large",
    test: ["test/campaign/bad-uploads.test.ts", "refuses a valid list of more than 100 MB"],
    cost: "read as a stream, a piece at a time",
  },
  {
    name: "Form of a list, unpacked, bytes",
    bound: LIST_FORM.received,
    over: "413 body_too_large",
    test: [
      "test/campaign/bad-uploads.test.ts",
      "stops reading a form that is larger than the limit, compressed or not",
    ],
    cost: "unpacked as a stream, 64 KB at a time",
  },
  {
    name: "Time for a body to arrive, ms",
    bound: MAX_BODY_MS,
    over: "408 body_too_slow",
    test: ["test/kernel/http/slow-body.test.ts", "a body that trickles to %s is given up after a minute"],
    cost: "what has arrived of it",
  },
  {
    name: "Time for a list or file to arrive, ms",
    bound: MAX_FILE_MS,
    over: "408 body_too_slow",
    test: ["test/kernel/http/slow-body.test.ts", "a list that trickles is given up after half an hour"],
    cost: "one upload of the account's quota",
  },
  {
    name: "File of a backup: a recording, bytes",
    bound: MAX_RECORDING_BYTES,
    over: "413 body_too_large",
    test: [
      "test/account-data/backup/doctored.test.ts",
      "refuses files that are too large or compressed before they are read",
    ],
    cost: "streamed to storage",
  },
  {
    name: "File of a backup: a conversation, bytes",
    bound: MAX_ARCHIVE_BYTES,
    over: "413 body_too_large",
    test: [
      "test/account-data/backup/doctored.test.ts",
      "refuses files that are too large or compressed before they are read",
    ],
    cost: "streamed to storage",
  },
  {
    name: "Message of a visitor, characters",
    bound: MAX_MESSAGE_CHARS,
    over: "close 1009",
    test: ["test/conversation/runtime/message-length.test.ts", "closes the socket with 1009 if it is longer"],
    cost: "one turn",
  },
  {
    name: "Frames before a token is shown, characters",
    bound: MAX_WAITING_CHARS,
    over: "close 1009",
    test: ["test/doors/sizes.test.ts", "the frames close the socket only beyond their limit"],
    cost: "kept until the token is judged, 10 s at most",
  },
  {
    name: "Frames before a token is judged",
    bound: MAX_WAITING_FRAMES,
    over: "close 4429",
    test: [
      "test/doors/sizes.test.ts",
      "a limited number of frames is kept before a token is shown, however short they are",
    ],
    cost: "kept until the token is judged, 10 s at most",
  },
  {
    name: "Frames of a participant in a minute",
    bound: PARTICIPANT_FRAMES,
    over: "close 4429",
    test: ["test/conversation/leases/floods.test.ts", "a participant's frames are limited per minute: %s"],
    cost: "one comparison a frame",
  },
  {
    name: "Frames of a participant in a minute, bytes",
    bound: PARTICIPANT_BYTES,
    over: "close 4429",
    test: ["test/conversation/leases/floods.test.ts", "a participant's frames are limited in bytes per minute"],
    cost: "one sum a frame",
  },
  {
    name: "Sockets of an address before a token is shown",
    bound: UNPROVEN_OF_ADDRESS,
    over: "429 rate_limited",
    test: ["test/conversation/leases/floods.test.ts", "an address may hold twenty sockets that have sent no token"],
    cost: "that many times the frames",
  },
];
