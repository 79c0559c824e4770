// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Batched calls, with the interface and address of Multicall3 on the public chains.
contract Multicall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate(Call[] calldata calls)
        external
        payable
        returns (uint256 blockNumber, bytes[] memory returnData)
    {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            returnData[i] = _call(calls[i].target, 0, calls[i].callData, false).returnData;
        }
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls)
        external
        payable
        returns (Result[] memory results)
    {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            results[i] = _call(calls[i].target, 0, calls[i].callData, !requireSuccess);
        }
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            results[i] = _call(calls[i].target, 0, calls[i].callData, calls[i].allowFailure);
        }
    }

    function aggregate3Value(Call3Value[] calldata calls)
        external
        payable
        returns (Result[] memory results)
    {
        uint256 sent;
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            sent += calls[i].value;
            results[i] =
                _call(calls[i].target, calls[i].value, calls[i].callData, calls[i].allowFailure);
        }
        require(sent == msg.value, 'Multicall3: value mismatch');
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getBlockHash(uint256 blockNumber) external view returns (bytes32) {
        return blockhash(blockNumber);
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function getBasefee() external view returns (uint256) {
        return block.basefee;
    }

    function getChainId() external view returns (uint256) {
        return block.chainid;
    }

    function _call(address target, uint256 value, bytes calldata data, bool mayFail)
        private
        returns (Result memory result)
    {
        (result.success, result.returnData) = target.call{value: value}(data);
        require(result.success || mayFail, 'Multicall3: call failed');
    }
}
