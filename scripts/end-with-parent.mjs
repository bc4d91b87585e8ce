/**
 * Loaded with --import into what npm start runs: ends this process when the one that started it is gone, even by
 * kill -9. The channel between the two breaks then; nothing else is sent over it.
 */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
